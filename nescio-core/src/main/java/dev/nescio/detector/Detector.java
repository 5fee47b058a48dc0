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
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Jlde;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.Progress;
import java.util.List;

/**
 * A trained network with a fitted estimator: takes a graph, gives a score per node. Immutable, on the heap, safe to share
 * between threads.
 *
 * @param classes names of the classes that it knows
 */
public record Detector(
        DetectorOptions options, List<String> classes, Model model, Jlde.FittedJlde estimator, Provenance provenance) {

    public Detector {
        classes = List.copyOf(classes);
    }

    /** Trains on the labels of the split's training nodes, then fits the estimator on the same graph. */
    public static Detector train(Graph raw, Split wholeSplit, DetectorOptions options, TrainingListener listener) {
        Graph graph = options.preprocessing().apply(raw);
        Split split = wholeSplit;
        if (!options.leftOut().isEmpty()) {
            LeaveOutClasses shift = new LeaveOutClasses(graph, options.leftOut());
            graph = shift.graph();
            split = shift.split(wholeSplit);
        }
        Trainer.requireTrainable(graph, split);
        if (options.estimator().k() > split.train().size()) {
            throw new BadConfiguration("k must be at most the number of training nodes, got k = "
                    + options.estimator().k() + ", training nodes = "
                    + split.train().size());
        }
        Trainer.Result trained = new Trainer(
                        Architectures.named(options.architecture()), options.model(), options.training())
                .train(graph, split, listener);
        Forward forward = trained.model().forward(graph);
        Jlde.FittedJlde estimator = new Jlde(options.estimator()).fit(Evidence.of(forward, graph, split.train()));
        return new Detector(
                options, graph.classes(), trained.model(), estimator, provenance(raw, split, options, trained));
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

    public Scores score(Graph graph) {
        return score(graph, Progress.NONE);
    }

    /** Scores every node of a graph with the same features; nothing is fitted again. */
    public Scores score(Graph graph, Progress progress) {
        Forward forward = forward(graph);
        Prediction prediction = Prediction.of(forward.logits());
        double[] epistemic = estimator.score(Evidence.of(forward, graph, NodeSet.of()), progress);
        return new Scores(graph.ids(), classes, prediction, prediction.aleatoric(), epistemic);
    }

    /** Logits and hidden states of every node. */
    public Forward forward(Graph graph) {
        Forward forward = model.forward(options.preprocessing().apply(graph));
        if (forward.logits().firstNotFinite() != null) {
            throw new BadInput(graph.name() + ": the features are so large that the network overflows");
        }
        return forward;
    }
}
