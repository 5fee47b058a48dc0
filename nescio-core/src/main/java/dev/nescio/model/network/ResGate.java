// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.FeedForward;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Weights;
import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Tensor;
import java.util.List;

/**
 * Res-GATE: {@link Augmented} with residuals, whose module attends with one vector for neighbours and another for the node
 * itself, so that it can turn the neighbours off:
 *
 * <pre>
 * r(u to v) = relu(N_u W_l + N_v W_r)
 * score(u to v) = a_neighbour . r, or a_self . r where u = v      per head, u in N(v) and v
 * Module(N)_v = FeedForward(sum_u softmax(score)(u to v) N_u W_l)
 * </pre>
 */
public final class ResGate implements Attentive {

    @Override
    public About about() {
        return About.of(
                "res-gate",
                "attention that can shut the neighbours off, with residuals; made for heterophily",
                "GATE: How to Keep Out Intrusive Neighbors, ICML 2024",
                HEADS);
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return Augmented.withResiduals(weights, shape, options, name -> module(weights, name, options));
    }

    private static Augmented.Module module(Weights weights, String name, ModelOptions options) {
        int d = options.hidden();
        int heads = options.get(HEADS);
        Linear left = new Linear(weights, name + ".left", d, d);
        Linear right = new Linear(weights, name + ".right", d, d);
        // The first row for neighbours, the second for the node itself; zero: all count alike at first.
        Tensor vectors = weights.get(name + ".attention", Init.constant(0), 2, d);
        FeedForward combine = new FeedForward(weights, name, d, options.multiplier() * d, d);
        return Augmented.Module.sending(left::apply, (sent, own, messages, dropout, plus) -> {
            Edges edges = messages.edges(Loops.WITH);
            Tensor shares = edges.softmax(edges.pairScores(sent, right.apply(own), vectors, heads, 0));
            return combine.apply(List.of(edges.headSums(shares, sent)), dropout, plus);
        });
    }
}
