package dev.nescio.detector;

import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.model.Architectures;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.Trainer;
import dev.nescio.model.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.shift.LeaveOutClasses;
import dev.nescio.tensor.Engine;
import dev.nescio.uncertainty.Estimators;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.Fitted;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.Progress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A trained network with fitted estimators: takes a graph, gives a score per node. Immutable, on the heap, safe to share
 * between threads.
 *
 * @param classes names of the classes that it knows
 * @param estimators by name, in the order of the options
 */
public record Detector(
        DetectorOptions options,
        List<String> classes,
        Model model,
        Map<String, Fitted> estimators,
        Provenance provenance) {

    public Detector {
        classes = List.copyOf(classes);
        estimators = Collections.unmodifiableMap(new LinkedHashMap<>(estimators));
        if (classes.size() != model.shape().classes()) {
            throw new BadInput("the network has " + model.shape().classes() + " outputs, but " + classes.size()
                    + " classes are named");
        }
    }

    /** Trains on the labels of the split's training nodes, then fits the estimators on the same graph. */
    public static Detector train(Graph raw, Split wholeSplit, DetectorOptions options, TrainingListener listener) {
        Prepared prepared = Prepared.of(raw, wholeSplit, options);
        Trainer.Result trained = new Trainer(
                        Architectures.named(options.architecture()), options.model(), options.training())
                .train(prepared.graph, prepared.split, listener);
        Evidence evidence =
                Evidence.of(trained.model().forward(prepared.graph), prepared.graph, prepared.split.train());
        Map<String, Fitted> fitted = new LinkedHashMap<>();
        for (String name : options.estimators()) {
            fitted.put(name, Estimators.make(name, options.jlde()).fit(evidence));
        }
        return new Detector(
                options,
                prepared.graph.classes(),
                trained.model(),
                fitted,
                provenance(raw, prepared.split, options, trained));
    }

    /** Refuses what {@link #train} would refuse, without training. */
    public static void requireTrainable(Graph raw, Split split, DetectorOptions options) {
        Prepared.of(raw, split, options);
    }

    /** Graph and split as training sees them. */
    private record Prepared(Graph graph, Split split) {

        static Prepared of(Graph raw, Split split, DetectorOptions options) {
            options.jlde().statesOf(Architectures.named(options.architecture()).states(options.model()));
            options.estimators().forEach(name -> Estimators.make(name, options.jlde()));
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
        return new Detector(options.withEstimators(names), classes, model, chosen, provenance);
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
        Forward forward = finite(model.forward(graph), graph);
        Evidence evidence = Evidence.of(forward, graph, NodeSet.of());
        if (estimators.values().stream().anyMatch(Fitted::needsForwardWithoutEdges)) {
            evidence = evidence.withoutEdges(finite(model.forwardWithoutEdges(graph), graph));
        }
        Map<String, double[]> epistemic = new LinkedHashMap<>();
        for (Map.Entry<String, Fitted> estimator : estimators.entrySet()) {
            epistemic.put(estimator.getKey(), estimator.getValue().score(evidence, progress));
        }
        Prediction prediction = Prediction.of(forward.logits());
        return new Scores(graph.ids(), classes, prediction, prediction.aleatoric(), epistemic);
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
        return finite(model.forward(graph), graph);
    }

    private static Forward finite(Forward forward, Graph graph) {
        if (forward.logits().firstNotFinite() != null) {
            throw new BadInput(graph.name() + ": the features are so large that the network overflows");
        }
        return forward;
    }
}
