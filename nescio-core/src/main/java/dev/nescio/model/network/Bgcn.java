// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.Objective;
import dev.nescio.model.Pass;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Bayesian GCN: {@link PlainGcn} whose weights are Gaussians, drawn anew for every pass, {@code w = mu + softplus(rho) e}
 * (Blundell et al. 2015). In evaluation the means are used; estimators that ask for random passes get samples of the
 * weights.
 *
 * <pre>loss = cross-entropy + weight * sum over tensors of the mean of log q(w) - log p(w)</pre>
 *
 * p is a mixture of a wide and a very narrow Gaussian. Has no dropout.
 */
public final class Bgcn implements Architecture {

    static final Option<Double> DIVERGENCE =
            Option.of("divergence", Kind.number(), 0.1, "Weight of the divergence from the prior in the loss.");

    @Override
    public About about() {
        return About.of(
                "bgcn",
                "Bayesian: graph convolution with Gaussian weights; use it with mcd; homophilic graphs",
                "Weight Uncertainty in Neural Networks, ICML 2015",
                DIVERGENCE);
    }

    @Override
    public int states(ModelOptions options) {
        return 2;
    }

    @Override
    public boolean isBayesian() {
        return true;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return new BgcnNetwork(weights, shape, options);
    }

    @Override
    public Objective objective(Network network, Graph graph, Split split, TrainingOptions training, Arena arena) {
        Tensor labels = Objective.labels(graph, split.train(), arena);
        BgcnNetwork bayesian = (BgcnNetwork) network;
        return Objective.of(split.train(), logits -> logits.crossEntropy(labels)
                .plus(bayesian.divergence().times(bayesian.weight)));
    }

    private static final class BgcnNetwork implements Network {

        private final List<Gaussian> gaussians = new ArrayList<>();
        private final double weight;
        /** What the last pass of this thread drew; only training looks at it, which has one thread. */
        private List<Tensor> drawn = List.of();

        /** One tensor of weights. */
        private record Gaussian(Tensor mean, Tensor spread) {}

        BgcnNetwork(Weights weights, Shape shape, ModelOptions options) {
            int d = options.hidden();
            this.weight = options.get(DIVERGENCE);
            add(weights, "first.weight", 0.1, shape.features(), d);
            add(weights, "first.bias", 0, d);
            add(weights, "second.weight", 0.1, d, shape.classes());
            add(weights, "second.bias", 0, shape.classes());
        }

        private void add(Weights weights, String name, double spread, int... shape) {
            gaussians.add(new Gaussian(
                    weights.get(name + ".mean", Init.normal(spread), shape),
                    weights.get(name + ".rho", Init.constant(-3), shape)));
        }

        @Override
        public int layers() {
            return 2;
        }

        @Override
        public Pass pass(Dropout dropout) {
            List<Tensor> sample = gaussians.stream()
                    .map(g -> dropout == Dropout.OFF
                            ? g.mean
                            : g.mean.plus(g.spread.softplus().times(dropout.normal(g.mean.shape()))))
                    .toList();
            drawn = sample;
            return PlainGcn.pass(Dropout.OFF, sample.get(0), sample.get(1), sample.get(2), sample.get(3));
        }

        /** Of what was drawn last from the prior: the mean of {@code log q(w) - log p(w)} per tensor, summed. */
        private Tensor divergence() {
            Tensor sum = Tensor.zeros(1).sum();
            for (int i = 0; i < drawn.size(); i++) {
                Tensor w = drawn.get(i);
                Gaussian g = gaussians.get(i);
                Tensor spread = g.spread.softplus();
                Tensor z = w.minus(g.mean).over(spread);
                Tensor logPosterior = z.times(z).times(-0.5).minus(spread.log());
                Tensor difference = logPosterior.minus(logPrior(w));
                int size = 1;
                for (int side : w.shape()) {
                    size *= side;
                }
                Tensor mean = difference.sum().times(1.0 / size);
                sum = sum.plus(mean);
            }
            return sum;
        }

        /**
         * {@code log(3/4 N(0, 1) + 1/4 N(0, 1e-12))}, but for the constant of a Gaussian: the log of the wide part, and the
         * narrow part relative to it.
         */
        private static Tensor logPrior(Tensor w) {
            Tensor squares = w.times(w);
            double narrow = 1e-6;
            Tensor wide = squares.times(-0.5).plus(Math.log(0.75));
            Tensor ratio = squares.times(-0.5 * (1 / (narrow * narrow) - 1)).plus(Math.log(0.25 / 0.75 / narrow));
            return wide.plus(ratio.softplus());
        }
    }
}
