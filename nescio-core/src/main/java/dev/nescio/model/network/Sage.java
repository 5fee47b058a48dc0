// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Weights;
import dev.nescio.tensor.Tensor;
import java.util.List;

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
            return (sent, own, messages, dropout, plus) -> {
                Tensor mean = messages.edges(Loops.WITHOUT).headSums(messages.equalShares(Loops.WITHOUT), sent);
                return combine.apply(List.of(own, mean), dropout, plus);
            };
        });
    }
}
