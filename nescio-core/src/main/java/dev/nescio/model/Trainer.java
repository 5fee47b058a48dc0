package dev.nescio.model;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.EngineFailure;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Map;

/** Trains a network on the labels of a split's training nodes and keeps the weights of its best epoch. */
public final class Trainer {

    private final Architecture architecture;
    private final ModelOptions options;
    private final Training training;

    public Trainer(Architecture architecture, ModelOptions options, Training training) {
        this.architecture = architecture;
        this.options = options;
        this.training = training;
    }

    /** A trained model and how it came about. */
    public record Result(Model model, int epochs, int bestEpoch, double validationAccuracy) {}

    public Result train(Graph graph, Split split, TrainingListener listener) {
        requireTrainable(graph, split, options);
        Architecture.Shape shape = new Architecture.Shape(
                graph.features().columns(), graph.classes().size());
        Seed seed = new Seed(training.seed());
        try (Weights weights = Weights.drawn(seed.split("initialisation"));
                Arena labels = new Arena()) {
            Network network = architecture.network(weights, shape, options);
            try (Side train = new Side(graph, split.train(), network.layers(), labels);
                    Side validation = new Side(graph, split.validation(), network.layers(), labels);
                    Adam adam = new Adam(weights.tensors(), training.learningRate(), training.weightDecay())) {
                Loop loop = new Loop(network, train, validation, adam, seed.split("dropout"));
                return loop.run(weights, shape, listener);
            }
        }
    }

    /** One step of training, then one evaluation of the validation nodes, as often as asked: what a benchmark measures. */
    private final class Loop {

        private final Network network;
        private final Side train;
        private final Side validation;
        private final Adam adam;
        private final Seed dropoutSeed;

        Loop(Network network, Side train, Side validation, Adam adam, Seed dropoutSeed) {
            this.network = network;
            this.train = train;
            this.validation = validation;
            this.adam = adam;
            this.dropoutSeed = dropoutSeed;
        }

        Result run(Weights weights, Architecture.Shape shape, TrainingListener listener) {
            Map<String, NdArray> best = Map.of();
            double bestAccuracy = -1;
            int bestEpoch = 0;
            int epoch = 0;
            while (epoch < training.epochs() && epoch - bestEpoch < training.patience()) {
                epoch++;
                double loss = step(epoch);
                double accuracy = evaluate();
                if (accuracy > bestAccuracy) {
                    bestAccuracy = accuracy;
                    bestEpoch = epoch;
                    best = weights.snapshot();
                }
                listener.epoch(new TrainingListener.Epoch(epoch, loss, accuracy, bestEpoch, bestAccuracy));
            }
            return new Result(new Model(architecture.name(), shape, options, best), epoch, bestEpoch, bestAccuracy);
        }

        private double step(int epoch) {
            return Scope.run(() -> {
                Dropout dropout = new Dropout(options.dropout(), dropoutSeed.split(epoch));
                Tensor loss = network.logits(train.flow, dropout, Network.StateListener.NONE)
                        .crossEntropy(train.labels);
                double value = loss.item();
                if (!Double.isFinite(value)) {
                    throw new EngineFailure("training diverged: the loss is " + value + " in epoch " + epoch
                            + " at learning rate " + training.learningRate() + "; a smaller one may help");
                }
                loss.backward();
                adam.step();
                return value;
            });
        }

        private double evaluate() {
            return Scope.run(() -> Gradients.off(() -> {
                Tensor predicted = network.logits(validation.flow, Dropout.OFF, Network.StateListener.NONE)
                        .largestColumn();
                return predicted.countEqual(validation.labels) / (double) validation.size;
            }));
        }
    }

    /** The nodes that one half of an epoch is about. */
    private static final class Side implements AutoCloseable {

        final MessageFlow flow;
        final Tensor labels;
        final int size;

        Side(Graph graph, NodeSet nodes, int layers, Arena arena) {
            this.flow = MessageFlow.to(nodes, graph, layers);
            this.labels = Scope.run(() ->
                    arena.own(Tensor.labels(nodes.stream().map(graph::label).toArray())));
            this.size = nodes.size();
        }

        @Override
        public void close() {
            flow.close();
        }
    }

    /** Refuses a graph or split that nothing can be learned from. */
    public static void requireTrainable(Graph graph, Split split, ModelOptions options) {
        requireLabelled(graph, split.train(), "training", split.name());
        requireLabelled(graph, split.validation(), "validation", split.name());
        if (graph.classes().size() < 2) {
            throw new BadInput(
                    graph.name() + " has " + graph.classes().size() + " class, but a classifier needs at least 2");
        }
        if (graph.adjacency().edges() == 0) {
            throw new BadInput(graph.name() + " has no edges, but message passing needs at least one");
        }
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
        if (graph.features().columns() == 0) {
            throw new BadInput(graph.name() + " has no features");
        }
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
