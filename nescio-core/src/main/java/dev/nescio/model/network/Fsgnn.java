// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.Pass;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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

    /**
     * The same network for nodes whose features are all hops already, {@code F_0 | ... | F_2K}: it sends no messages. What it learns are
     * the weights of {@code fsgnn}.
     */
    public static Architecture onHops() {
        return new OnHops();
    }

    /**
     * One more round: sums of features with self-loops, and beside them without.
     *
     * @param number from 1
     * @param before the features themselves in round 1, else what the round before has returned
     */
    public static Tensor nextHop(int number, Tensor before, Round messages) {
        int width = number == 1 ? before.columns() : before.columns() / 2;
        return Tensor.besides(
                messages.normalisedSum(Loops.WITH).apply(before.columns(0, width)),
                messages.normalisedSum(Loops.WITHOUT).apply(before.columns(before.columns() - width, width)));
    }

    private static final class OnHops implements Architecture {

        private static final Fsgnn FSGNN = new Fsgnn();

        @Override
        public About about() {
            return FSGNN.about();
        }

        @Override
        public int states(ModelOptions options) {
            return FSGNN.states(options);
        }

        @Override
        public Network network(Weights weights, Shape shape, ModelOptions options) {
            Shape ofOneHop = new Shape(shape.features() / states(options), shape.classes());
            return new HopNetwork(new FsgnnNetwork(weights, ofOneHop, options));
        }
    }

    /** The hops of a node lie side by side in its features. */
    private record HopNetwork(FsgnnNetwork network) implements Network {

        @Override
        public int layers() {
            return 0;
        }

        @Override
        public Tensor logits(MessageFlow flow, Dropout dropout, StateListener states) {
            FsgnnNetwork.FsgnnPass pass = network.new FsgnnPass(dropout);
            return pass.output(pass.parts(hops(flow.features())), states);
        }

        private List<Tensor> hops(FeatureTensor features) {
            Tensor all = features.toDense();
            int width = all.columns() / network.perHop.size();
            return IntStream.range(0, network.perHop.size())
                    .mapToObj(j -> all.columns(j * width, width))
                    .toList();
        }

        @Override
        public Pass pass(Dropout dropout) {
            FsgnnNetwork.FsgnnPass pass = network.new FsgnnPass(dropout);
            return new Pass() {
                @Override
                public Held input(FeatureTensor features, StateListener states) {
                    List<Tensor> hops = hops(features);
                    return new Held(hops.get(0), pass.parts(hops));
                }

                @Override
                public Held round(int number, Held now, Round messages, StateListener states) {
                    throw new IllegalStateException("there are no rounds");
                }

                @Override
                public Tensor output(Held last, StateListener states) {
                    return pass.output(last, states);
                }
            };
        }
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

        /** Features do not learn: many passes over the same flow propagate them once. */
        @Override
        public Tensor logits(MessageFlow flow, Dropout dropout, StateListener states) {
            List<Tensor> hopFeatures = flow.once("hops", () -> propagated(flow));
            FsgnnPass pass = new FsgnnPass(dropout);
            return pass.output(pass.parts(hopFeatures), states);
        }

        @Override
        public Pass pass(Dropout dropout) {
            return new FsgnnPass(dropout);
        }

        /** Neighbours hear the features as they have come so far, with self-loops and beside them without; a node keeps its parts. */
        private final class FsgnnPass implements Pass {

            private final Dropout dropout;
            private final Tensor shares = attention.softmax();

            FsgnnPass(Dropout dropout) {
                this.dropout = dropout;
            }

            /** Hop j with self-loops is number j, without them number K + j. */
            private Tensor part(int j, Tensor hopFeatures) {
                Tensor hop = perHop.get(j).apply(hopFeatures);
                return (unitRows ? hop.normalisedRows() : hop).times(shares.rows(j, 1));
            }

            List<Tensor> parts(List<Tensor> hopFeatures) {
                return IntStream.range(0, perHop.size())
                        .mapToObj(j -> part(j, hopFeatures.get(j)))
                        .toList();
            }

            @Override
            public Held input(FeatureTensor features, StateListener states) {
                Tensor x = features.toDense();
                return Held.of(x, part(0, x));
            }

            @Override
            public Held round(int number, Held now, Round messages, StateListener states) {
                Tensor next = nextHop(number, now.heard(), messages);
                int width = next.columns() / 2;
                Tensor with = next.columns(0, width);
                Tensor without = next.columns(width, width);
                List<Tensor> parts = new ArrayList<>();
                for (int j = 0; j < now.own().size(); j++) {
                    parts.add(now.own(j, messages.targets()));
                }
                parts.add(number, part(number, with));
                parts.add(part(hops + number, without));
                return new Held(next, parts);
            }

            @Override
            public Tensor output(Held last, StateListener states) {
                return output(last.own(), states);
            }

            Tensor output(List<Tensor> parts, StateListener states) {
                for (int j = 0; j < parts.size(); j++) {
                    states.state("E" + j, parts.get(j));
                }
                return output.apply(dropout.apply(
                        Tensor.besides(parts.toArray(Tensor[]::new)).relu()));
            }
        }

        /** X, then its sums over 1, 2, ... rounds with self-loops and without, of the target nodes. */
        private List<Tensor> propagated(MessageFlow flow) {
            return Gradients.off(() -> Scope.run(() -> {
                int targets = flow.nodes(hops);
                Tensor x = flow.features().toDense();
                List<Tensor> all = new ArrayList<>();
                all.add(flow.arena().own(x.firstRows(targets).copy()));
                for (Loops loops : Loops.values()) {
                    Tensor h = x;
                    for (int k = 1; k <= hops; k++) {
                        h = flow.round(k).normalisedSum(loops).apply(h);
                        all.add(flow.arena().own(h.firstRows(targets).copy()));
                    }
                }
                return all;
            }));
        }
    }
}
