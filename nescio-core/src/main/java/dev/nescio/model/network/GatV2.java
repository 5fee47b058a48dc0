// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.Attention;
import dev.nescio.model.layer.FeedForward;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Weights;
import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Tensor;
import java.util.List;

/**
 * GATv2: {@link Augmented} without residuals, whose module is
 *
 * <pre>
 * score(u to v) = a . leakyRelu(x_u W_s + b_s + x_v W_t + b_t)      per head, u in N(v) and v
 * Module(x)_v = FeedForward(sum_u softmax(score)(u to v) (x_u W_s + b_s) + b)
 * </pre>
 */
public final class GatV2 implements Attentive {

    @Override
    public About about() {
        return About.of(
                "gatv2",
                "attention over a node and its neighbours, without residuals; a baseline",
                "How Attentive are Graph Attention Networks?, ICLR 2022",
                HEADS,
                Augmented.NORM);
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return Augmented.withoutResiduals(weights, shape, options, name -> module(weights, name, options));
    }

    private static Augmented.Module module(Weights weights, String name, ModelOptions options) {
        int d = options.hidden();
        int heads = options.get(HEADS);
        Linear source = Linear.glorot(weights, name + ".source", d, d);
        Linear target = Linear.glorot(weights, name + ".target", d, d);
        Tensor vector = weights.get(name + ".attention", Init.glorot(heads, d / heads), 1, d);
        Tensor bias = weights.get(name + ".bias", Init.constant(0), d);
        FeedForward combine = new FeedForward(weights, name, d, options.multiplier() * d, d);
        return Augmented.Module.sending(source::apply, (sent, own, messages, dropout, plus) -> {
            Edges edges = messages.edges(Loops.WITH);
            Tensor shares = edges.softmax(edges.pairScores(sent, target.apply(own), vector, heads, Attention.SLOPE));
            return combine.apply(List.of(edges.headSums(shares, sent).plus(bias)), dropout, plus);
        });
    }
}
