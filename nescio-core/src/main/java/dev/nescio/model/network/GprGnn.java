// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.Pass;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;

/**
 * GPRGNN: a network without edges, whose outputs are then propagated K times and added with learned weights.
 *
 * <pre>
 * P_0 = dropout(relu(dropout(X) W_1 + b_1)) W_2 + b_2, dropped once more
 * P_k = A P_(k-1)                               A normalised, with self-loops
 * logits = sum_k gamma_k P_k                    gamma_k begins as alpha (1 - alpha)^k, the last as (1 - alpha)^K
 * </pre>
 *
 * The hidden states are P_0 .. P_K.
 */
public final class GprGnn implements Architecture {

    static final Option<Integer> HOPS = Option.of("hops", Kind.count(1000), 10, "Number of propagation steps.");
    static final Option<Double> ALPHA = Option.of(
            "alpha",
            Kind.number(),
            0.1,
            "Restart probability of the PageRank that initialises the weights of the hops.");

    @Override
    public About about() {
        return About.of(
                "gprgnn",
                "learned weights for every hop; leads on homophilic graphs with few labels",
                "Adaptive Universal Generalized PageRank Graph Neural Network, ICLR 2021",
                HOPS,
                ALPHA);
    }

    @Override
    public int states(ModelOptions options) {
        return options.get(HOPS) + 1;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return new GprNetwork(weights, shape, options);
    }

    private static final class GprNetwork implements Network {

        private final Linear first;
        private final Linear second;
        private final Tensor gamma;
        private final int hops;

        GprNetwork(Weights weights, Shape shape, ModelOptions options) {
            this.hops = options.get(HOPS);
            this.first = new Linear(weights, "first", shape.features(), options.hidden());
            this.second = new Linear(weights, "second", options.hidden(), shape.classes());
            this.gamma = weights.get("gamma", pageRank(options.get(ALPHA)), hops + 1);
        }

        private static Init pageRank(double alpha) {
            return (values, rng) -> {
                int last = values.length - 1;
                for (int k = 0; k < last; k++) {
                    values[k] = (float) (alpha * Math.pow(1 - alpha, k));
                }
                values[last] = (float) Math.pow(1 - alpha, last);
            };
        }

        @Override
        public int layers() {
            return hops;
        }

        @Override
        public Pass pass(Dropout dropout) {
            return new Pass() {
                @Override
                public Held input(FeatureTensor features, StateListener states) {
                    Tensor hidden = dropout.apply(first.apply(features, dropout).relu());
                    Tensor p = dropout.apply(second.apply(hidden));
                    states.state("P0", p);
                    return Held.of(p, p.times(gamma.rows(0, 1)));
                }

                @Override
                public Held round(int number, Held now, Round messages, StateListener states) {
                    Tensor p = messages.normalisedSum(Loops.WITH).apply(now.heard());
                    states.state("P" + number, p);
                    return Held.of(p, now.own(0, messages.targets()).plus(p.times(gamma.rows(number, 1))));
                }

                @Override
                public Tensor output(Held last, StateListener states) {
                    return last.own(0, last.heard().rows());
                }
            };
        }

        @Override
        public Adam.Moved moved(String name, Tensor parameter, TrainingOptions training) {
            double decay = name.equals("gamma") ? 0 : training.weightDecay();
            return new Adam.Moved(parameter, training.learningRate(), decay);
        }
    }
}
