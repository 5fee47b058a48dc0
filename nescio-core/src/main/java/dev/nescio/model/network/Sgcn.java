// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.Objective;
import dev.nescio.model.Pass;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.Dirichlet;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.HopKernel;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;

/**
 * SGCN (GKDE-GCN): a plain graph convolution whose outputs o are evidence, {@code alpha = 1 + exp(o)}; the logits are log
 * alpha. Learns from the labels, from how near training nodes are in the graph ({@link HopKernel}), and from a teacher that
 * is trained first:
 *
 * <pre>
 * loss = sum over training nodes of E |y - p|^2 + l_1 sum over all of KL(Dir(alpha) | Dir(prior)) + l_2 sum over all of KL(p | p_teacher)
 * </pre>
 *
 * with l_2 rising from 0 to 1 over 200 epochs. The hidden states are those of {@link PlainGcn}.
 */
public final class Sgcn implements Architecture {

    static final Option<Double> PRIOR = Option.of(
                    "prior", Kind.number(), 0.001, "Weight of the kernel prior in the loss.")
            .withDefault(0.1);

    private static final int EPOCHS_TO_FULL_TEACHER = 200;
    /** That the loss sees, of a node for a class, as a logarithm: beyond it concentrations overflow. */
    private static final double MOST_EVIDENCE = 30;

    @Override
    public About about() {
        return About.of(
                "sgcn",
                "evidential: graph convolution taught by a kernel over hops and by a teacher; homophilic graphs",
                "Uncertainty Aware Semi-Supervised Learning on Graph Data, NeurIPS 2020",
                PRIOR);
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
    public boolean learnsFromAllNodes() {
        return true;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        PlainGcn student = new PlainGcn(weights, shape, options);
        return new Student(student, options.get(PRIOR));
    }

    private record Student(PlainGcn gcn, double priorWeight) implements Network {

        @Override
        public Pass pass(Dropout dropout) {
            Pass inner = gcn.pass(dropout);
            return new Pass() {
                @Override
                public Held input(FeatureTensor features, StateListener states) {
                    return inner.input(features, states);
                }

                @Override
                public Held round(int number, Held now, Round messages, StateListener states) {
                    return inner.round(number, now, messages, states);
                }

                @Override
                public Tensor output(Held last, StateListener states) {
                    return inner.output(last, states).softplus();
                }
            };
        }

        @Override
        public int layers() {
            return gcn.layers();
        }
    }

    @Override
    public Objective objective(Network network, Graph graph, Split split, TrainingOptions training, Arena arena) {
        DenseMatrix kernel = HopKernel.of(
                graph.adjacency(),
                split.train().toArray(),
                split.train().stream().map(graph::label).toArray(),
                graph.classes().size());
        DenseMatrix teacher = teacher(graph, split, training.seed());
        return Scope.run(() -> new Taught(
                NodeSet.where(graph.nodes(), v -> true),
                arena.own(Tensor.of(split.train().toArray())),
                Objective.labels(graph, split.train(), arena),
                arena.own(Tensor.of(kernel)),
                arena.own(Tensor.of(teacher).logSoftmax()),
                ((Student) network).priorWeight));
    }

    /** The logits of a plain graph convolution that learns from the labels alone. */
    private static DenseMatrix teacher(Graph graph, Split split, long seed) {
        TrainingOptions training = TrainingOptions.of(0.01, 1e-4, 10_000, 50, seed)
                .with(TrainingOptions.STOPPING, TrainingOptions.Stopping.LOSS);
        return new Trainer(new Teacher(), ModelOptions.of(64, 2, 0.8, 1), training)
                .train(graph, split, TrainingListener.NONE)
                .model()
                .logits(graph);
    }

    private record Taught(
            NodeSet targets, Tensor training, Tensor labels, Tensor prior, Tensor teacher, double priorWeight)
            implements Objective {

        @Override
        public Tensor loss(Tensor logAlpha, int epoch) {
            Tensor alpha = logAlpha.clamp(0, MOST_EVIDENCE).exp();
            Tensor logMean = logAlpha.logSoftmax();
            Tensor error = Dirichlet.expectedSquaredError(alpha.select(training), labels);
            Tensor fromPrior = Dirichlet.divergence(alpha, prior);
            Tensor fromTeacher = logMean.exp().times(logMean.minus(teacher)).sumOverColumns();
            double trust = Math.min(1, (epoch - 1) / (double) EPOCHS_TO_FULL_TEACHER);
            return error.sum()
                    .plus(fromPrior.sum().times(priorWeight))
                    .plus(fromTeacher.sum().times(trust));
        }
    }

    /** Not for users: what SGCN learns from. */
    static final class Teacher implements Architecture {

        @Override
        public About about() {
            return About.of(
                    "gcn-teacher",
                    "the teacher of sgcn",
                    "Semi-Supervised Classification with Graph Convolutional Networks, ICLR 2017");
        }

        @Override
        public int states(ModelOptions options) {
            return 2;
        }

        @Override
        public Network network(Weights weights, Shape shape, ModelOptions options) {
            return new PlainGcn(weights, shape, options);
        }
    }
}
