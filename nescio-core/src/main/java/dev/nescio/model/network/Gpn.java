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
import dev.nescio.model.layer.Dirichlet;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.RadialFlow;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;

/**
 * Graph Posterior Network: evidence for a class is the density of a node's latent vector under that class, diffused over the
 * graph.
 *
 * <pre>
 * h = dropout(relu(X W_1 + b_1)),  z = h W_2 + b_2
 * beta_c = exp(clamp(log q(z | c) + log p(c) + D/2 log 4 pi))      q a radial flow per class, p(c) its share of training nodes
 * beta  &lt;- (1 - a) A beta + a beta(0), ten times;  alpha = 1 + beta
 * </pre>
 *
 * The logits are log alpha. The loss is the expected cross-entropy less a little entropy, summed over the training nodes;
 * flows learn at a rate of their own and alone for some epochs first. The hidden states are h and z.
 */
public final class Gpn implements Architecture {

    static final Option<Integer> LATENT =
            Option.of("latent", Kind.count(4096), 16, "Number of dimensions of the latent space.");
    static final Option<Integer> FLOWS =
            Option.of("flows", Kind.count(10_000), 10, "Number of radial transformations per class.");
    static final Option<Double> TELEPORT = Option.of(
            "teleport", Kind.number(), 0.1, "Share of its own evidence that a node keeps when evidence is diffused.");
    static final Option<Double> ENTROPY =
            Option.of("entropy", Kind.number(), 1e-4, "Weight of the entropy in the loss.");
    static final Option<Integer> WARM_UP =
            Option.of("warm-up", Kind.count(), 5, "Number of warm-up epochs in which only the flows learn.");
    static final Option<Double> FLOW_RATE = Option.of("flow-rate", Kind.number(), 0.01, "Learning rate of the flows.");

    @Override
    public About about() {
        return About.of(
                "gpn",
                "evidential: evidence from the density of each class, spread over the graph; homophilic graphs",
                "Graph Posterior Network, NeurIPS 2021",
                LATENT,
                FLOWS,
                TELEPORT,
                ENTROPY,
                WARM_UP,
                FLOW_RATE);
    }

    @Override
    public int states(ModelOptions options) {
        return 2;
    }

    @Override
    public boolean isEvidential() {
        return true;
    }

    @Override
    public long stepBytes(ModelOptions options, Shape shape, long nodes, long edges) {
        return Architecture.super.stepBytes(options, shape, nodes, edges)
                + 32 * nodes * shape.classes() * options.get(LATENT) * options.get(FLOWS);
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return new GpnNetwork(weights, shape, options);
    }

    @Override
    public Objective objective(Network network, Graph graph, Split split, TrainingOptions training, Arena arena) {
        Tensor labels = Objective.labels(graph, split.train(), arena);
        double entropy = ((GpnNetwork) network).entropy;
        return Objective.of(split.train(), logAlpha -> {
            Tensor alpha = logAlpha.exp();
            return Dirichlet.expectedCrossEntropy(alpha, labels)
                    .minus(Dirichlet.entropy(alpha).times(entropy))
                    .sum();
        });
    }

    private static final class GpnNetwork implements Network {

        private static final int STEPS = 10;
        private static final double MOST_EVIDENCE = 30;

        private final Linear first;
        private final Linear second;
        private final RadialFlow flow;
        private final Tensor logPrior;
        private final int latent;
        private final double teleport;
        private final double entropy;
        private final int warmUp;
        private final double flowRate;

        GpnNetwork(Weights weights, Shape shape, ModelOptions options) {
            this.latent = options.get(LATENT);
            this.teleport = options.get(TELEPORT);
            this.entropy = options.get(ENTROPY);
            this.warmUp = options.get(WARM_UP);
            this.flowRate = options.get(FLOW_RATE);
            this.first = new Linear(weights, "first", shape.features(), options.hidden());
            this.second = new Linear(weights, "second", options.hidden(), latent);
            this.flow = new RadialFlow(weights, "flow", shape.classes(), latent, options.get(FLOWS));
            this.logPrior = weights.buffer("prior", Init.constant(-Math.log(shape.classes())), shape.classes());
        }

        @Override
        public int layers() {
            return STEPS;
        }

        @Override
        public void observe(int[] trainingLabels) {
            float[] shares = new float[logPrior.rows()];
            for (int label : trainingLabels) {
                shares[label] += 1f / trainingLabels.length;
            }
            for (int c = 0; c < shares.length; c++) {
                // A class without training nodes has no evidence.
                shares[c] = (float) Math.log(Math.max(shares[c], 1e-12));
            }
            logPrior.set(shares);
        }

        @Override
        public Pass pass(Dropout dropout) {
            return new Pass() {
                @Override
                public Held input(FeatureTensor features, StateListener states) {
                    Tensor h = dropout.apply(first.apply(features).relu());
                    Tensor z = second.apply(h);
                    states.state("h", h);
                    states.state("z", z);
                    Tensor evidence = flow.logDensity(z)
                            .plus(logPrior)
                            .plus(0.5 * latent * Math.log(4 * Math.PI))
                            .clamp(-MOST_EVIDENCE, MOST_EVIDENCE)
                            .exp();
                    return Held.of(evidence, evidence);
                }

                @Override
                public Held round(int number, Held now, Round messages, StateListener states) {
                    Tensor first = now.own(0, messages.targets());
                    Tensor heard = messages.normalisedSum(Loops.WITH).apply(now.heard());
                    return Held.of(heard.times(1 - teleport).plus(first.times(teleport)), first);
                }

                @Override
                public Tensor output(Held last, StateListener states) {
                    return last.heard().log1p();
                }
            };
        }

        @Override
        public Adam.Moved moved(String name, Tensor parameter, TrainingOptions training) {
            return movesInWarmUp(name)
                    ? new Adam.Moved(parameter, flowRate, 0)
                    : new Adam.Moved(parameter, training.learningRate(), training.weightDecay());
        }

        @Override
        public int warmUpEpochs() {
            return warmUp;
        }

        @Override
        public boolean movesInWarmUp(String name) {
            return name.startsWith("flow");
        }
    }
}
