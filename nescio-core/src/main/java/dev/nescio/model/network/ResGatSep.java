// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.Attention;
import dev.nescio.model.layer.FeedForward;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Tensor;
import java.util.List;

/**
 * Res-GAT-Sep: {@link Augmented} with residuals, whose module attends to the neighbours and keeps a node's own part aside.
 *
 * <pre>
 * Q = N W_q + b_q
 * score(u to v) = leakyRelu(Q_u S + b_s + Q_v T)      per head, u in N(v), no self-loops
 * Module(N)_v = FeedForward(Q_v | sum_u softmax(score)(u to v) Q_u)
 * </pre>
 *
 * With {@code attention=gatv2} the score is {@code a . leakyRelu(Q_u W_s + b_s + Q_v W_t)}.
 */
public final class ResGatSep implements Attentive {

    static final Option<String> ATTENTION = Option.of(
            "attention",
            Kind.word("gat", "gatv2"),
            "gat",
            "Attention scores: gat adds one number per node, gatv2 compares two vectors.");

    @Override
    public About about() {
        return About.of(
                "res-gat-sep",
                "attention that keeps a node apart from its neighbours; made for heterophily",
                "A critical look at the evaluation of GNNs under heterophily, ICLR 2023",
                HEADS,
                ATTENTION);
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return Augmented.withResiduals(weights, shape, options, name -> module(weights, name, options));
    }

    private static Augmented.Module module(Weights weights, String name, ModelOptions options) {
        int d = options.hidden();
        Linear query = new Linear(weights, name + ".query", d, d);
        Attention attention = options.get(ATTENTION).equals("gatv2")
                ? Attention.ofPairs(weights, name, d, options.get(HEADS))
                : Attention.ofSums(weights, name, d, options.get(HEADS));
        FeedForward combine = new FeedForward(weights, name, 2 * d, options.multiplier() * d, d);
        return Augmented.Module.sending(query::apply, (sent, own, messages, dropout, plus) -> {
            Tensor q = sent.firstRows(messages.targets());
            Edges edges = messages.edges(Loops.WITHOUT);
            Tensor heard = edges.headSums(attention.shares(edges, sent, q), sent);
            return combine.apply(List.of(q, heard), dropout, plus);
        });
    }
}
