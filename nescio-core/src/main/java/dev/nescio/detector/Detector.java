package dev.nescio.detector;

import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.Architectures;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.Trainer;
import dev.nescio.model.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Seed;
import dev.nescio.shift.LeaveOutClasses;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.Estimators;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.Fitted;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.Progress;
import dev.nescio.uncertainty.Samples;
import dev.nescio.uncertainty.Temperature;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A trained network with fitted estimators: takes a graph, gives a score per node. Immutable, on the heap, safe to share
 * between threads.
 *
 * @param classes names of the classes that it knows
 * @param networks the trained one, and behind it the other members of an ensemble
 * @param temperature that logits are divided by for probabilities; 1 where none was fitted
 * @param estimators by name, in the order of the options
 */
public record Detector(
        DetectorOptions options,
        List<String> classes,
        List<Model> networks,
        double temperature,
        Map<String, Fitted> estimators,
        Provenance provenance) {

    public Detector {
        classes = List.copyOf(classes);
        networks = List.copyOf(networks);
        estimators = Collections.unmodifiableMap(new LinkedHashMap<>(estimators));
        for (Model network : networks) {
            if (classes.size() != network.shape().classes()) {
                throw new BadInput("the network has " + network.shape().classes() + " outputs, but " + classes.size()
                        + " classes are named");
            }
        }
        if (networks.size() < options.networks()) {
            throw new BadConfiguration(String.join(", ", options.estimators()) + " need " + options.networks()
                    + " networks, but there are " + networks.size()
                    + "; train with --estimator ensemble for as many as --members says");
        }
        if (!(temperature > 0)) {
            throw new BadInput("the temperature must be positive, got " + temperature);
        }
    }

    /**
     * Trains on the labels of the split's training nodes, then fits the estimators on the same graph. The networks of an
     * ensemble are trained side by side, each on one core.
     */
    public static Detector train(Graph raw, Split wholeSplit, DetectorOptions options, TrainingListener listener) {
        Prepared prepared = Prepared.of(raw, wholeSplit, options);
        Trainer.Result[] trained = new Trainer.Result[options.networks()];
        if (trained.length == 1) {
            trained[0] = prepared.train(options, 0, listener);
        } else {
            AtomicInteger done = new AtomicInteger();
            Parallel.sideBySide(trained.length, i -> {
                trained[i] = prepared.train(options, i, TrainingListener.NONE);
                listener.trained(done.incrementAndGet(), trained.length);
            });
        }
        return fit(raw, prepared, options, List.of(trained));
    }

    /**
     * The same from networks that were trained before, on the same graph and split: network i with {@link
     * dev.nescio.model.Training#member member(i)} of the options' training.
     */
    public static Detector of(Graph raw, Split wholeSplit, DetectorOptions options, List<Trainer.Result> trained) {
        return fit(raw, Prepared.of(raw, wholeSplit, options), options, trained);
    }

    private static Detector fit(Graph raw, Prepared prepared, DetectorOptions options, List<Trainer.Result> trained) {
        List<Model> networks = trained.stream().map(Trainer.Result::model).toList();
        Graph graph = prepared.graph;
        Forward forward = networks.get(0).forward(graph);
        Evidence evidence = Evidence.of(forward, graph, prepared.split.train());
        Map<String, Fitted> fitted = new LinkedHashMap<>();
        for (String name : options.estimators()) {
            fitted.put(name, Estimators.make(name, options.jlde()).fit(evidence));
        }
        double temperature = options.calibrate()
                ? Temperature.fit(forward.logits(), graph.labels(), prepared.split.validation())
                : 1;
        return new Detector(
                options,
                graph.classes(),
                networks,
                temperature,
                fitted,
                provenance(raw, prepared.split, options, trained.get(0)));
    }

    /** The network whose hidden states the estimators look at. */
    public Model model() {
        return networks.get(0);
    }

    /** Refuses what {@link #train} would refuse, without training. */
    public static void requireTrainable(Graph raw, Split split, DetectorOptions options) {
        Prepared.of(raw, split, options);
    }

    /** Graph and split as training sees them. */
    private record Prepared(Graph graph, Split split) {

        static Prepared of(Graph raw, Split split, DetectorOptions options) {
            Architecture architecture = Architectures.named(options.architecture());
            architecture.require(options.model());
            options.jlde().statesOf(architecture.states(options.model()));
            if (Estimators.anyNeeds(options.estimators(), Need.CONCENTRATIONS) && !architecture.isEvidential()) {
                throw new BadConfiguration(
                        "evidential needs " + Need.CONCENTRATIONS.text() + "; " + options.architecture() + " does not");
            }
            Graph graph = options.preprocessing().apply(raw);
            Prepared prepared = new Prepared(graph, split);
            if (!options.leftOut().isEmpty()) {
                LeaveOutClasses shift = new LeaveOutClasses(graph, options.leftOut());
                prepared = new Prepared(shift.graph(), shift.split(split));
            }
            Trainer.requireTrainable(prepared.graph, prepared.split, options.model());
            int training = prepared.split.train().size();
            if (options.estimators().contains("jlde") && options.jlde().k() > training) {
                throw new BadConfiguration("k must be at most the number of training nodes, got k = "
                        + options.jlde().k() + ", training nodes = " + training);
            }
            return prepared;
        }

        Trainer.Result train(DetectorOptions options, int member, TrainingListener listener) {
            return new Trainer(
                            Architectures.named(options.architecture()),
                            options.model(),
                            options.training().member(member))
                    .train(graph, split, listener);
        }
    }

    private static Provenance provenance(Graph graph, Split split, DetectorOptions options, Trainer.Result trained) {
        return new Provenance(
                graph.name(),
                Fingerprint.of(graph),
                graph.nodes(),
                graph.adjacency().edges(),
                split.name(),
                options.leftOut().stream().sorted().map(graph.classes()::get).toList(),
                Engine.threads(),
                trained.epochs(),
                trained.bestEpoch(),
                trained.validationAccuracy(),
                Engine.version());
    }

    /** The same detector with these estimators alone, in this order. Those that learn nothing need not have been fitted. */
    public Detector withEstimators(List<String> names) {
        Map<String, Fitted> chosen = new LinkedHashMap<>();
        for (String name : names) {
            Fitted fitted = estimators.get(name);
            if (fitted == null && !Estimators.learnsNothing(name)) {
                throw new BadConfiguration(
                        "estimator '" + name + "' was not fitted when this detector was trained; it has "
                                + String.join(", ", estimators.keySet()));
            }
            chosen.put(name, fitted == null ? Estimators.load(name, options.jlde(), Map.of()) : fitted);
        }
        return new Detector(options.withEstimators(names), classes, networks, temperature, chosen, provenance);
    }

    public Scores score(Graph graph) {
        return score(graph, Progress.NONE);
    }

    /** Scores every node of a graph with the same features, from one forward pass; nothing is fitted again. */
    public Scores score(Graph raw, Progress progress) {
        return scorePrepared(options.preprocessing().apply(raw), progress);
    }

    /** Scores a graph whose features are already prepared for the network. */
    public Scores scorePrepared(Graph graph, Progress progress) {
        Forward forward = finite(model().forward(graph), graph);
        Evidence evidence = withExtras(Evidence.of(forward, graph, NodeSet.of()), forward, graph, progress);
        Prediction prediction = Prediction.of(forward.logits(), temperature);
        Map<String, Scores.Opinion> opinions = new LinkedHashMap<>();
        estimators.forEach((name, fitted) -> {
            Prediction own = fitted.prediction(evidence);
            opinions.put(name, new Scores.Opinion(own == null ? prediction : own, fitted.score(evidence, progress)));
        });
        return new Scores(graph.ids(), classes, opinions);
    }

    /** Adds what some of the estimators need besides one forward pass. */
    private Evidence withExtras(Evidence plain, Forward forward, Graph graph, Progress progress) {
        Evidence evidence = plain;
        if (anyNeeds(Need.FORWARD_WITHOUT_EDGES)) {
            evidence = evidence.withoutEdges(finite(model().forwardWithoutEdges(graph), graph));
        }
        if (anyNeeds(Need.RANDOM_PASSES)) {
            evidence = evidence.withSamples(Need.RANDOM_PASSES, randomPasses(graph, progress));
        }
        if (anyNeeds(Need.ENSEMBLE)) {
            evidence = evidence.withSamples(Need.ENSEMBLE, opinions(forward, graph));
        }
        return evidence;
    }

    private boolean anyNeeds(Need need) {
        return Estimators.anyNeeds(options.estimators(), need);
    }

    private Samples randomPasses(Graph graph, Progress progress) {
        Samples.Collector collector = new Samples.Collector(graph.nodes(), classes.size());
        int passes = options.sampling().passes();
        AtomicLong done = new AtomicLong();
        model().randomPasses(graph, passes, new Seed(options.training().seed()).split("passes"), (i, logits) -> {
            collector.add(i, finite(logits, graph));
            progress.at(done.addAndGet(graph.nodes()), (long) passes * graph.nodes());
        });
        return collector.finish();
    }

    /** What the networks of the ensemble say; the first one has said it already. */
    private Samples opinions(Forward first, Graph graph) {
        Samples.Collector collector = new Samples.Collector(graph.nodes(), classes.size());
        collector.add(0, first.logits());
        for (int i = 1; i < options.networks(); i++) {
            collector.add(i, finite(networks.get(i).logits(graph), graph));
        }
        return collector.finish();
    }

    /** Why the first estimator that can tell gives a node its score. */
    public Explanation explain(Graph graph, int node) {
        Explainable estimator = estimators.values().stream()
                .filter(Explainable.class::isInstance)
                .map(Explainable.class::cast)
                .findFirst()
                .orElseThrow(() -> new BadConfiguration(
                        "none of the estimators " + String.join(", ", estimators.keySet()) + " can say why; jlde can"));
        return estimator.explain(Evidence.of(forward(graph), graph, NodeSet.of()), node);
    }

    /** Logits and hidden states of every node. */
    public Forward forward(Graph raw) {
        Graph graph = options.preprocessing().apply(raw);
        return finite(model().forward(graph), graph);
    }

    private static Forward finite(Forward forward, Graph graph) {
        finite(forward.logits(), graph);
        return forward;
    }

    private static DenseMatrix finite(DenseMatrix logits, Graph graph) {
        if (logits.firstNotFinite() != null) {
            throw new BadInput(graph.name() + ": the features are so large that the network overflows");
        }
        return logits;
    }
}
