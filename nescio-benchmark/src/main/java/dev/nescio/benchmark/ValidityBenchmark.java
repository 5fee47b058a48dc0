// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.metric.Spread;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Parallel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
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

    @Option(
            names = "--leave-out",
            defaultValue = "1",
            description = "How many of the last classes training does not see.")
    int leaveOut;

    @Option(
            names = "--binary-l1",
            description = "Make features binary and let rows sum to 1, as the paper does on CoraML.")
    boolean binaryL1;

    @Option(names = "--train", defaultValue = "200", description = "Training nodes.")
    int train;

    @Option(
            names = "--held-out",
            defaultValue = "199",
            description = "Nodes to compare with, and as many to choose the epoch; 199 make 1 % a whole number.")
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
        int classes = graph.classes().size();
        Set<Integer> leftOut =
                IntStream.range(classes - leaveOut, classes).boxed().collect(Collectors.toSet());
        IntPredicate isUnseen = v -> leftOut.contains(graph.label(v));
        double[][] ordinary = new double[ALPHAS.length][splits];
        double[][] strange = new double[ALPHAS.length][splits];
        AtomicInteger done = new AtomicInteger();
        Parallel.sideBySide(splits, i -> {
            Split split = draw(graph, isUnseen, i);
            Detector detector = Detector.train(
                    graph,
                    split,
                    DetectorOptions.defaults()
                            .withModel(ModelOptions.of(hidden, 2, 0.5, 1))
                            .withTraining(TrainingOptions.of(0.01, 1e-4, epochs, epochs, i))
                            .withPreprocessing(
                                    binaryL1 ? Preprocessing.of(true, Preprocessing.RowNorm.L1) : Preprocessing.NONE)
                            .withEstimators(estimator)
                            .withLeftOut(leftOut),
                    TrainingListener.NONE);
            Scores scores = detector.score(graph);
            for (int a = 0; a < ALPHAS.length; a++) {
                NodeSet flagged = scores.flagged(ALPHAS[a]);
                ordinary[a][i] = share(flagged, split.test().filter(isUnseen.negate()));
                strange[a][i] = share(flagged, split.test().filter(isUnseen));
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

    /** Uniformly among all labelled nodes; so many ordinary ones to train on, to choose the epoch and to compare with, all
     * others to test on. */
    private Split draw(Graph graph, IntPredicate isUnseen, int seed) {
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
        int[] ordinary = IntStream.of(nodes).filter(isUnseen.negate()).toArray();
        NodeSet training = NodeSet.of(IntStream.of(ordinary).limit(train).toArray());
        NodeSet validation = NodeSet.of(
                IntStream.of(ordinary).skip(train).limit(2L * heldOut).toArray());
        NodeSet test = NodeSet.of(IntStream.of(nodes)
                .filter(v -> !training.contains(v) && !validation.contains(v))
                .toArray());
        return new Split("random:" + seed, training, validation, test);
    }

    private static double share(NodeSet flagged, NodeSet of) {
        return (double) of.stream().filter(flagged::contains).count() / of.size();
    }
}
