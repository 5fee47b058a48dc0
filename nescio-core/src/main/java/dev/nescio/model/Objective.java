// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.function.UnaryOperator;

/** What training makes small. */
public interface Objective {

    /** The nodes whose logits the loss needs. */
    NodeSet targets();

    /**
     * A scalar.
     *
     * @param logits of the targets, in ascending order
     * @param epoch counted from 1
     */
    Tensor loss(Tensor logits, int epoch);

    /** The mean cross-entropy of some nodes. */
    static Objective crossEntropy(Graph graph, NodeSet nodes, Arena arena) {
        Tensor labels = labels(graph, nodes, arena);
        return of(nodes, logits -> logits.crossEntropy(labels));
    }

    /** A loss that is the same in every epoch. */
    static Objective of(NodeSet targets, UnaryOperator<Tensor> loss) {
        return new Objective() {
            @Override
            public NodeSet targets() {
                return targets;
            }

            @Override
            public Tensor loss(Tensor logits, int epoch) {
                return loss.apply(logits);
            }
        };
    }

    /** The class numbers of some nodes, by ascending node number, in a tensor that the arena owns. */
    static Tensor labels(Graph graph, NodeSet nodes, Arena arena) {
        return Scope.run(
                () -> arena.own(Tensor.labels(nodes.stream().map(graph::label).toArray())));
    }
}
