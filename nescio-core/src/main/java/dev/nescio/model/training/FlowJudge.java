// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.model.Network;
import dev.nescio.model.Objective;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;

/** Judges by one pass towards the validation nodes, whose surroundings stay in memory. */
final class FlowJudge implements Judgement.Judge {

    private final Arena arena = new Arena();
    private final Network network;
    private final MessageFlow flow;
    private final Tensor labels;

    FlowJudge(Network network, Graph labelled, NodeSet validation, MessageFlow flow) {
        this.network = network;
        this.flow = flow;
        this.labels = Objective.labels(labelled, validation, arena);
    }

    @Override
    public Judgement judge() {
        return Scope.run(() -> Gradients.off(() -> {
            Tensor logits = network.logits(flow, Dropout.OFF, Network.StateListener.NONE);
            double accuracy = logits.largestColumn().countEqual(labels) / (double) labels.rows();
            return new Judgement(accuracy, logits.crossEntropy(labels).item());
        }));
    }

    @Override
    public void close() {
        flow.close();
        arena.close();
    }
}
