package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.GraphFile;
import dev.nescio.metric.Spread;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Training;
import dev.nescio.model.TrainingListener;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Parallel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Whether thresholds keep what they promise: over many random splits, the share of ordinary test nodes that is flagged beside the
 * share that may be, and the share of a left-out class that is.
 */
@CommandLine.Command(name = "validity", mixinStandardHelpOptions = true)
final class ValidityBenchmark implements Callable<Integer> {

    private static final double[] ALPHAS = {0.01, 0.05, 0.1};

    @Parameters(paramLabel = "GRAPH", description = "builtin:NAME or an npz file.")
    String source;

    @Option(names = "--splits", defaultValue = "200")
    int splits;

    @Option(names = "--leave-out", description = "The class that training does not see (default: the last one).")
    int leaveOut = -1;

    @Option(names = "--train", defaultValue = "200", description = "Training nodes.")
    int train;

    @Option(
            names = "--held-out",
            defaultValue = "199",
            description = "Validation nodes; 199 make 1 % a whole number of them.")
    int heldOut;

    @Option(names = "--estimator", defaultValue = "jlde")
    String estimator;

    @Option(names = "--hidden", defaultValue = "32")
    int hidden;

    @Option(names = "--epochs", defaultValue = "100")
    int epochs;

    @Override
    public Integer call() {
        Graph graph = source.startsWith("builtin:")
                ? BuiltinGraphs.make(source.substring("builtin:".length()))
                : GraphFile.read(Path.of(source));
        int unseen = leaveOut < 0 ? graph.classes().size() - 1 : leaveOut;
        double[][] ordinary = new double[ALPHAS.length][splits];
        double[][] strange = new double[ALPHAS.length][splits];
        AtomicInteger done = new AtomicInteger();
        Parallel.sideBySide(splits, i -> {
            Split split = draw(graph, unseen, i);
            Detector detector = Detector.train(
                    graph,
                    split,
                    DetectorOptions.defaults()
                            .withModel(new ModelOptions(hidden, 2, 0.5, 1))
                            .withTraining(new Training(0.01, 1e-4, epochs, epochs, i))
                            .withPreprocessing(new Preprocessing(false, Preprocessing.RowNorm.NONE))
                            .withEstimators(List.of(estimator))
                            .withLeftOut(Set.of(unseen)),
                    TrainingListener.NONE);
            Scores scores = detector.score(graph);
            for (int a = 0; a < ALPHAS.length; a++) {
                NodeSet flagged = scores.flagged(ALPHAS[a]);
                ordinary[a][i] = share(flagged, split.test().filter(v -> graph.label(v) != unseen));
                strange[a][i] = share(flagged, split.test().filter(v -> graph.label(v) == unseen));
            }
            System.err.print("\r" + done.incrementAndGet() + " of " + splits + " splits");
        });
        System.err.println();
        for (int a = 0; a < ALPHAS.length; a++) {
            Spread seen = Spread.of(DoubleStream.of(ordinary[a]));
            double error = seen.std() / Math.sqrt(splits);
            System.out.printf(
                    "{\"graph\": \"%s\", \"estimator\": \"%s\", \"splits\": %d, \"held_out\": %d, \"alpha\": %.2f, "
                            + "\"ordinary_flagged\": %.5f, \"standard_error\": %.5f, \"errors_from_alpha\": %.2f, \"left_out_flagged\": %.4f}%n",
                    graph.name(),
                    estimator,
                    splits,
                    heldOut,
                    ALPHAS[a],
                    seen.mean(),
                    error,
                    (seen.mean() - ALPHAS[a]) / error,
                    Spread.of(DoubleStream.of(strange[a])).mean());
        }
        return 0;
    }

    /** Uniformly among all labelled nodes; so many ordinary ones to train on and to compare with, all others to test on. */
    private Split draw(Graph graph, int unseen, int seed) {
        Rng rng = new Seed(seed).split("validity").rng();
        int[] nodes = IntStream.range(0, graph.nodes())
                .filter(v -> graph.label(v) >= 0)
                .toArray();
        for (int i = nodes.length - 1; i > 0; i--) {
            int j = rng.nextInt(i + 1);
            int kept = nodes[i];
            nodes[i] = nodes[j];
            nodes[j] = kept;
        }
        int[] ordinary =
                IntStream.of(nodes).filter(v -> graph.label(v) != unseen).toArray();
        NodeSet training = NodeSet.of(IntStream.of(ordinary).limit(train).toArray());
        NodeSet validation =
                NodeSet.of(IntStream.of(ordinary).skip(train).limit(heldOut).toArray());
        NodeSet test = NodeSet.of(IntStream.of(nodes)
                .filter(v -> !training.contains(v) && !validation.contains(v))
                .toArray());
        return new Split("random:" + seed, training, validation, test);
    }

    private static double share(NodeSet flagged, NodeSet of) {
        return (double) of.stream().filter(flagged::contains).count() / of.size();
    }
}
