// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Weights;
import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;

/**
 * GraphSAGE with mean aggregation: {@link Augmented} without residuals, whose module keeps a node apart from its neighbours,
 *
 * <pre>Module(x)_v = dropout((x_v | mean over u in N(v) of x_u) W + b)</pre>
 *
 * The mean of a node without neighbours is zero.
 */
public final class Sage implements Architecture {

    @Override
    public About about() {
        return About.of(
                "sage",
                "a node beside the mean of its neighbours, without residuals; a baseline that suits growing graphs",
                "Inductive Representation Learning on Large Graphs, NeurIPS 2017",
                Augmented.NORM);
    }

    @Override
    public int states(ModelOptions options) {
        return options.layers() + 1;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        int d = options.hidden();
        return Augmented.withoutResiduals(weights, shape, options, name -> {
            Linear combine = new Linear(weights, name, 2 * d, d);
            return (x, layer, flow, dropout) -> {
                Tensor own = x.firstRows(flow.nodes(layer));
                Tensor mean = flow.edges(layer, MessageFlow.Loops.WITHOUT).headSums(equalShares(flow, layer), x);
                return dropout.apply(combine.apply(own, mean));
            };
        });
    }

    /** One over the number of neighbours of each edge's target: [edges, 1]. */
    private static Tensor equalShares(MessageFlow flow, int layer) {
        Edges edges = flow.edges(layer, MessageFlow.Loops.WITHOUT);
        int count = flow.edgeNorms(layer, MessageFlow.Loops.WITHOUT).rows();
        return flow.once(
                "equal shares " + layer,
                () -> Scope.run(() -> flow.arena().own(edges.softmax(Tensor.zeros(count, 1)))));
    }
}
