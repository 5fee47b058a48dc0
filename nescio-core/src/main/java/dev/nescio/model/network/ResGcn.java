// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.FeedForward;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Weights;
import java.util.List;

/**
 * Res-GCN: {@link Augmented} with residuals, whose module is a graph convolution,
 *
 * <pre>Module(N) = FeedForward(A N)</pre>
 *
 * A the symmetrically normalised adjacency with self-loops.
 */
public final class ResGcn implements Architecture {

    @Override
    public About about() {
        return About.of(
                "res-gcn",
                "graph convolution with residuals; fast and good nearly everywhere, the default",
                "A critical look at the evaluation of GNNs under heterophily, ICLR 2023");
    }

    @Override
    public int states(ModelOptions options) {
        return options.layers() + 1;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return Augmented.withResiduals(weights, shape, options, name -> convolution(weights, name, options));
    }

    /** {@code FeedForward(A x)}. */
    static Augmented.Module convolution(Weights weights, String name, ModelOptions options) {
        int d = options.hidden();
        FeedForward module = new FeedForward(weights, name, d, options.multiplier() * d, d);
        return (sent, own, messages, dropout, plus) ->
                module.apply(List.of(messages.normalisedSum(Loops.WITH).apply(sent)), dropout, plus);
    }
}
