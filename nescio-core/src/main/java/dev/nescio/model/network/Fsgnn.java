// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * FSGNN: features are propagated once, before training; the network weighs the hops.
 *
 * <pre>
 * F_0 = X;  for k = 1..K  A^k X with self-loops and without
 * E_j = softmax(att)_j unit(F_j W_j + b_j)
 * logits = dropout(relu(E_0 | ... | E_2K)) W + b
 * </pre>
 *
 * The hidden states are E_0 .. E_2K. On another graph the features are propagated again.
 */
public final class Fsgnn implements Architecture {

    static final Option<Integer> HOPS =
            Option.of("hops", Kind.count(1000), 3, "Number of propagation rounds, each with and without self-loops.");
    static final Option<String> ROWS = Option.of(
            "rows",
            Kind.word("unit", "free"),
            "unit",
            "unit scales every hop's vector to length 1, as in the original; free leaves it as it is.");

    @Override
    public About about() {
        return About.of(
                "fsgnn",
                "features of every hop, computed once, weighed by learned attention; cheap epochs",
                "Simplifying approach to node classification in Graph Neural Networks, 2021",
                HOPS,
                ROWS);
    }

    @Override
    public int states(ModelOptions options) {
        return 2 * options.get(HOPS) + 1;
    }

    @Override
    public long stepBytes(ModelOptions options, Shape shape, long nodes, long edges) {
        return Architecture.super.stepBytes(options, shape, nodes, edges)
                + 8 * nodes * shape.features() * (2L * options.get(HOPS) + 1);
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return new FsgnnNetwork(weights, shape, options);
    }

    private static final class FsgnnNetwork implements Network {

        private final int hops;
        private final boolean unitRows;
        private final List<Linear> perHop = new ArrayList<>();
        private final Tensor attention;
        private final Linear output;

        FsgnnNetwork(Weights weights, Shape shape, ModelOptions options) {
            this.hops = options.get(HOPS);
            this.unitRows = options.get(ROWS).equals("unit");
            int count = 2 * hops + 1;
            for (int j = 0; j < count; j++) {
                perHop.add(new Linear(weights, "hop" + j, shape.features(), options.hidden()));
            }
            this.attention = weights.get("attention", Init.constant(1), count);
            this.output = new Linear(weights, "output", count * options.hidden(), shape.classes());
        }

        @Override
        public int layers() {
            return hops;
        }

        @Override
        public Tensor logits(MessageFlow flow, Dropout dropout, StateListener states) {
            List<Tensor> features = flow.once("hops", () -> propagated(flow));
            Tensor shares = attention.softmax();
            Tensor[] parts = new Tensor[perHop.size()];
            for (int j = 0; j < parts.length; j++) {
                Tensor hop = perHop.get(j).apply(features.get(j));
                parts[j] = (unitRows ? hop.normalisedRows() : hop).times(shares.rows(j, 1));
                states.state("E" + j, parts[j]);
            }
            return output.apply(dropout.apply(Tensor.besides(parts).relu()));
        }

        /** X, then its sums over 1, 2, ... rounds with self-loops and without, of the target nodes. */
        private List<Tensor> propagated(MessageFlow flow) {
            return Gradients.off(() -> Scope.run(() -> {
                int targets = flow.nodes(hops);
                Tensor x = flow.features().toDense();
                List<Tensor> all = new ArrayList<>();
                all.add(flow.arena().own(x.firstRows(targets).copy()));
                for (MessageFlow.Loops loops : MessageFlow.Loops.values()) {
                    Tensor h = x;
                    for (int k = 1; k <= hops; k++) {
                        h = flow.normalisedSum(k, loops).apply(h);
                        all.add(flow.arena().own(h.firstRows(targets).copy()));
                    }
                }
                return all;
            }));
        }
    }
}
