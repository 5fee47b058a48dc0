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
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * FAGCN: every edge has a gate between -1 and 1, so that neighbours may be added or subtracted.
 *
 * <pre>
 * h_0 = dropout(relu(dropout(X) W_1 + b_1))
 * gate(u to v) = tanh(w . (h_v | h_u) + b)
 * h_l = epsilon h_0 + sum over u in N(v) of dropout(gate(u to v) / sqrt(d_u d_v)) h_(l-1),u
 * logits = h_L W_2 + b_2
 * </pre>
 *
 * The hidden states are h_0 .. h_L.
 */
public final class Fagcn implements Architecture {

    static final Option<Double> EPSILON =
            Option.of("epsilon", Kind.number(), 0.3, "Weight of the first state in every layer.");

    @Override
    public About about() {
        return About.of(
                "fagcn",
                "neighbours may count with a negative sign; good under heterophily, cheap",
                "Beyond Low-frequency Information in Graph Convolutional Networks, AAAI 2021",
                EPSILON);
    }

    @Override
    public int states(ModelOptions options) {
        return options.layers() + 1;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return new FagcnNetwork(weights, shape, options);
    }

    private static final class FagcnNetwork implements Network {

        private static final double GAIN = 1.414;

        private final Linear input;
        private final List<Gate> gates = new ArrayList<>();
        private final Linear output;
        private final double epsilon;

        /** Weights for the end and for the beginning of an edge, [d, 1] each. */
        private record Gate(Tensor target, Tensor source, Tensor bias) {}

        FagcnNetwork(Weights weights, Shape shape, ModelOptions options) {
            int d = options.hidden();
            this.epsilon = options.get(EPSILON);
            this.input = Linear.with(xavier(shape.features(), d), weights, "input", shape.features(), d);
            for (int l = 1; l <= options.layers(); l++) {
                String name = "layer" + l + ".gate";
                gates.add(new Gate(
                        weights.get(name + ".target", xavier(2 * d, 1), d, 1),
                        weights.get(name + ".source", xavier(2 * d, 1), d, 1),
                        weights.get(name + ".bias", Init.linear(2 * d), 1)));
            }
            this.output = Linear.with(xavier(d, shape.classes()), weights, "output", d, shape.classes());
        }

        private static Init xavier(int inputs, int outputs) {
            return Init.normal(GAIN * Math.sqrt(2.0 / (inputs + outputs)));
        }

        @Override
        public int layers() {
            return gates.size();
        }

        @Override
        public Pass pass(Dropout dropout) {
            return new Pass() {
                @Override
                public Held input(FeatureTensor features, StateListener states) {
                    Tensor h = dropout.apply(input.apply(features, dropout).relu());
                    states.state("H0", h);
                    return Held.of(h, h);
                }

                @Override
                public Held round(int number, Held now, Round messages, StateListener states) {
                    Tensor first = now.own(0, messages.targets());
                    Tensor h = first.times(epsilon).plus(heard(gates.get(number - 1), now.heard(), messages, dropout));
                    states.state("H" + number, h);
                    return Held.of(h, first);
                }

                @Override
                public Tensor output(Held last, StateListener states) {
                    return output.apply(last.heard());
                }
            };
        }

        private static Tensor heard(Gate gate, Tensor h, Round messages, Dropout dropout) {
            Edges edges = messages.edges(Loops.WITHOUT);
            Tensor ends = edges.fromTarget(h.firstRows(messages.targets()).product(gate.target, gate.bias));
            Tensor begins = edges.fromSource(h.product(gate.source));
            Tensor weighed = ends.plus(begins).tanh();
            Tensor flat = weighed.reshape(weighed.rows());
            return edges.weightedSum(dropout.apply(flat.times(messages.edgeNorms(Loops.WITHOUT))), h);
        }
    }
}
