// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.Objective;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Weights;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.Diverged;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Trains a network on the labels of a split's training nodes and keeps the weights of its best epoch. */
public final class Trainer {

    private final Architecture architecture;
    private final ModelOptions options;
    private final TrainingOptions training;

    /** A trainer for one kind of network; {@link #train} checks the options. */
    public Trainer(Architecture architecture, ModelOptions options, TrainingOptions training) {
        this.architecture = architecture;
        this.options = options;
        this.training = training;
    }

    /**
     * A trained model and how it came about.
     *
     * @param validationAccuracy in the best epoch
     * @param validationLoss mean cross-entropy in the best epoch; NaN where it is not known
     */
    public record Result(Model model, int epochs, int bestEpoch, double validationAccuracy, double validationLoss) {}

    /**
     * Trains a new network; the same seed gives the same weights. Refuses what nothing can be learned from, and options that the
     * architecture cannot have. Throws {@link Diverged} where the loss is not finite any more.
     *
     * <pre>{@code
     * Architecture gcn = Architectures.named("gcn");
     * Trainer trainer = new Trainer(gcn, ModelOptions.defaults(), TrainingOptions.defaults());
     * Model model = trainer.train(graph, split, TrainingListener.NONE).model();
     * }</pre>
     */
    public Result train(Graph graph, Split split, TrainingListener listener) {
        requireTrainable(graph, split, options);
        return train(new GraphLessons(graph), split, listener);
    }

    /**
     * Trains in batches on a graph that need not fit into memory. Validation is exact: in one pass where the surroundings of the
     * validation nodes fit, otherwise block by block.
     *
     * @param nodes the nodes of the graph with the labels to learn from
     * @param preparation of features, row by row
     * @param limits of memory, and where files are kept meanwhile
     */
    public Result train(
            BlockGraph graph,
            Graph nodes,
            UnaryOperator<Matrix> preparation,
            Split split,
            BlockPass.Options limits,
            TrainingListener listener) {
        requireLabelled(nodes, split);
        requireContent(nodes, graph.features(), graph.edges());
        if (training.batchNodes() == 0) {
            throw new BadConfiguration(
                    "a graph that is read block by block is trained in batches; --batch-nodes says how large");
        }
        try (StoredLessons lessons = new StoredLessons(graph, nodes, preparation, limits, options)) {
            return train(lessons, split, listener);
        }
    }

    private Result train(Lessons lessons, Split split, TrainingListener listener) {
        architecture.require(options);
        if (training.batchNodes() > 0 && architecture.learnsFromAllNodes()) {
            throw new BadConfiguration(
                    architecture.name() + " learns from all nodes at once; it cannot be trained in batches");
        }
        Graph nodes = lessons.nodes();
        Architecture.Shape shape =
                new Architecture.Shape(lessons.features(), nodes.classes().size());
        Seed seed = new Seed(training.seed());
        try (Weights weights = Weights.drawn(seed.split("initialisation"))) {
            Network network = architecture.network(weights, shape, options);
            network.observe(split.train().stream().map(nodes::label).toArray());
            try (Batches batches = lessons.batches(architecture, network, split, training, seed.split("batches"));
                    Judgement.Judge judge = lessons.judge(
                            network,
                            split.validation(),
                            () -> new Model(architecture, shape, options, weights.snapshot()))) {
                Loop loop = new Loop(network, weights, batches, judge, seed.split("dropout"));
                return loop.run(shape, listener);
            }
        }
    }

    /** Steps of training, each followed by an evaluation of the validation nodes. */
    private final class Loop {

        private final Network network;
        private final Weights weights;
        private final Batches batches;
        private final Judgement.Judge judge;
        private final Seed dropoutSeed;

        Loop(Network network, Weights weights, Batches batches, Judgement.Judge judge, Seed dropoutSeed) {
            this.network = network;
            this.weights = weights;
            this.batches = batches;
            this.judge = judge;
            this.dropoutSeed = dropoutSeed;
        }

        Result run(Architecture.Shape shape, TrainingListener listener) {
            warmUp();
            Map<String, NdArray> weightsOfBest = Map.of();
            double bestScore = Double.NEGATIVE_INFINITY;
            Judgement best = Judgement.NONE;
            int bestEpoch = 0;
            int epoch = 0;
            try (Adam adam = adam(name -> true)) {
                while (epoch < training.epochs() && epoch - bestEpoch < training.patience()) {
                    epoch++;
                    double loss = step(epoch, adam);
                    Judgement judgement = judge.judge();
                    if (judgement.score(training.stopping()) > bestScore) {
                        bestScore = judgement.score(training.stopping());
                        best = judgement;
                        bestEpoch = epoch;
                        weightsOfBest = weights.snapshot();
                    }
                    listener.epoch(
                            new TrainingListener.Epoch(epoch, loss, judgement.accuracy(), bestEpoch, best.accuracy()));
                }
            }
            if (bestEpoch == 0) {
                throw new Diverged("training diverged: the validation loss is not a number in any of " + epoch
                        + " epochs at learning rate " + training.learningRate() + "; a smaller one may help");
            }
            return new Result(
                    new Model(architecture, shape, options, weightsOfBest),
                    epoch,
                    bestEpoch,
                    best.accuracy(),
                    best.loss());
        }

        private void warmUp() {
            if (network.warmUpEpochs() == 0) {
                return;
            }
            try (Adam adam = adam(network::movesInWarmUp)) {
                for (int epoch = 1; epoch <= network.warmUpEpochs(); epoch++) {
                    step(-epoch, adam);
                    weights.parameters().values().forEach(Tensor::clearGradient);
                }
            }
        }

        private Adam adam(Predicate<String> moves) {
            return new Adam(weights.parameters().entrySet().stream()
                    .filter(parameter -> moves.test(parameter.getKey()))
                    .map(parameter -> network.moved(parameter.getKey(), parameter.getValue(), training))
                    .toList());
        }

        /** @param epoch from 1; negative while warming up */
        private double step(int epoch, Adam adam) {
            double[] sum = {0};
            batches.forEach(epoch, (number, share, objective, flow) -> {
                Seed seed = number == 0
                        ? dropoutSeed.split(epoch)
                        : dropoutSeed.split(epoch).split(number);
                sum[0] += share * step(epoch, adam, objective, flow, new Dropout(options.dropout(), seed));
            });
            return sum[0];
        }

        private double step(int epoch, Adam adam, Objective objective, MessageFlow flow, Dropout dropout) {
            return Scope.run(() -> {
                Tensor loss =
                        objective.loss(network.logits(flow, dropout, Network.StateListener.NONE), Math.max(1, epoch));
                double value = loss.item();
                if (!Double.isFinite(value)) {
                    throw new Diverged("training diverged: the loss is " + value + " in epoch " + Math.abs(epoch)
                            + " at learning rate " + training.learningRate() + "; a smaller one may help");
                }
                loss.backward();
                adam.step();
                return value;
            });
        }
    }

    /** Refuses a graph or split that nothing can be learned from. */
    public static void requireTrainable(Graph graph, Split split, ModelOptions options) {
        requireLabelled(graph, split);
        requireContent(graph, graph.features().columns(), graph.adjacency().edges());
        long entries = (long) graph.nodes()
                * Math.max(options.hidden(), graph.classes().size());
        if (entries > Integer.MAX_VALUE) {
            throw new BadConfiguration(graph.name() + " has " + graph.nodes() + " nodes, which at width "
                    + options.hidden() + " make " + entries + " numbers per state; the limit is " + Integer.MAX_VALUE);
        }
        long widest = Math.max(graph.features().columns(), (long) options.hidden() * options.multiplier());
        if (widest * options.hidden() > Integer.MAX_VALUE) {
            throw new BadConfiguration("a width of " + options.hidden() + " makes a weight matrix of "
                    + widest * options.hidden() + " numbers; the limit is " + Integer.MAX_VALUE);
        }
    }

    private static void requireContent(Graph labelled, int features, long edges) {
        if (labelled.classes().size() < 2) {
            throw new BadInput(labelled.name() + " has " + labelled.classes().size()
                    + " class, but a classifier needs at least 2");
        }
        if (edges == 0) {
            throw new BadInput(labelled.name() + " has no edges, but message passing needs at least one");
        }
        if (features == 0) {
            throw new BadInput(labelled.name() + " has no features");
        }
    }

    private static void requireLabelled(Graph graph, Split split) {
        requireLabelled(graph, split.train(), "training", split.name());
        requireLabelled(graph, split.validation(), "validation", split.name());
    }

    private static void requireLabelled(Graph graph, NodeSet nodes, String role, String split) {
        if (nodes.isEmpty()) {
            throw new BadInput(graph.name() + ": split '" + split + "' has no " + role + " nodes");
        }
        nodes.stream().filter(v -> graph.label(v) < 0).findFirst().ifPresent(v -> {
            throw new BadInput(graph.name() + ": node " + graph.ids().name(v) + " is a " + role + " node of split '"
                    + split + "' but has no label");
        });
    }
}
