// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.BlockScoring;
import dev.nescio.detector.BlockTraining;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.pack.EdgeBuckets;
import dev.nescio.io.pack.PackWriter;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.progress.Progress;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Scores a packed random graph block by block: five undirected edges and 64 features per node, classes by the features, neighbours
 * anywhere in the graph, which is the worst order there is. Prints the time per edge and the peak of resident memory; with {@code
 * --whole} also those of the pass in memory, first.
 */
@CommandLine.Command(name = "blocks", mixinStandardHelpOptions = true)
final class BlocksBenchmark implements Callable<Integer> {

    private static final int FEATURES = 64;
    private static final int CLASSES = 5;
    private static final int TRAINING_GRAPH = 20_000;

    @Option(names = "--nodes", defaultValue = "100000")
    int nodes;

    @Option(names = "--memory", defaultValue = "4096", description = "In MiB.")
    long memory;

    @Option(names = "--whole", description = "Also score in memory.")
    boolean whole;

    @Option(
            names = "--train",
            description =
                    "Train instead, for one epoch, in batches of 1,024 of a hundredth of the nodes with 10,10 neighbours,"
                            + " and fit the estimator.")
    boolean train;

    @Option(names = "--model", defaultValue = "res-gcn")
    String model;

    @Option(names = "--estimator", defaultValue = "jlde")
    String estimator;

    @Option(names = "--folder", paramLabel = "DIR", description = "For the graph and temporary files.")
    Path folder = Path.of(".");

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        try (WorkFolder work = WorkFolder.beside(folder.resolve("blocks"))) {
            Path file = work.path().resolve("large.npk");
            long start = System.nanoTime();
            write(file, nodes, 1);
            double packing = seconds(start);
            try (PackedGraph graph = PackedGraph.open(file)) {
                if (train) {
                    train(graph, work.path(), packing);
                    return 0;
                }
                Detector detector = detector(work.path().resolve("small.npk"));
                if (whole) {
                    Graph inMemory = graph.toGraph();
                    detector.score(inMemory);
                    System.gc();
                    Measure.resetPeak();
                    long begin = System.nanoTime();
                    detector.score(inMemory);
                    print("in memory", seconds(begin), graph.edges(), packing);
                }
                System.gc();
                Measure.resetPeak();
                long begin = System.nanoTime();
                long[] scored = {0};
                BlockScoring.score(
                        detector,
                        graph,
                        new BlockPass.Options(work.path(), memory << 20, 0),
                        (Scores scores) -> scored[0] += scores.nodes(),
                        Progress.NONE);
                if (scored[0] != nodes) {
                    throw new IllegalStateException(scored[0] + " nodes were scored");
                }
                print("by blocks", seconds(begin), graph.edges(), packing);
            }
        }
        return 0;
    }

    private void train(PackedGraph graph, Path work, double packing) {
        Split split = SplitRules.choose(graph.nodesAlone(), "1/1/98:0");
        DetectorOptions options = options()
                .with(TrainingOptions.EPOCHS, 1)
                .with(TrainingOptions.BATCH_NODES, 1024)
                .with(TrainingOptions.NEIGHBOURS, List.of(10, 10));
        System.gc();
        Measure.resetPeak();
        long begin = System.nanoTime();
        BlockTraining.train(
                graph,
                split,
                options,
                new BlockPass.Options(work, memory << 20, 0),
                epoch -> print("one epoch and its validation", seconds(begin), graph.edges(), packing));
        print("with the fit of the estimator", seconds(begin), graph.edges(), packing);
    }

    private DetectorOptions options() {
        return DetectorOptions.defaults()
                .withArchitecture(model)
                .with(ModelOptions.HIDDEN, 64)
                .withEstimators(estimator);
    }

    private void print(String how, double seconds, long edges, double packing) {
        System.out.printf(
                Locale.ROOT,
                "{\"how\": \"%s\", \"model\": \"%s\", \"estimator\": \"%s\", \"nodes\": %d, \"edges\": %d, \"memory_mib\": %d, "
                        + "\"seconds\": %.1f, \"ns_per_edge\": %.1f, \"peak_mib\": %d, \"pack_s\": %.1f}%n",
                how,
                model,
                estimator,
                nodes,
                edges,
                memory,
                seconds,
                1e9 * seconds / edges,
                Measure.peakMebibytes(),
                packing);
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private Detector detector(Path file) {
        write(file, TRAINING_GRAPH, 0);
        try (PackedGraph small = PackedGraph.open(file)) {
            Graph graph = small.toGraph();
            return Detector.train(
                    graph,
                    SplitRules.choose(graph, "10/10/80:0"),
                    options().with(TrainingOptions.EPOCHS, 20),
                    TrainingListener.NONE);
        }
    }

    /** Nodes of a class like nodes of the next one: a heterophilic graph in no order at all. */
    private static void write(Path file, int nodes, int seed) {
        Rng rng = new Seed(seed).rng();
        PackWriter.write(file, writer -> {
            int[] labels = new int[nodes];
            for (int from = 0; from < nodes; from += PackWriter.PIECE) {
                int count = Math.min(PackWriter.PIECE, nodes - from);
                writer.features(features(from, count, labels, rng));
                writer.labels(labels, from, count);
            }
            long edges = edges(file, nodes, rng, writer);
            return new PackWriter.Summary(
                    "random", nodes, FEATURES, edges, true, List.of("a", "b", "c", "d", "e"), null, "");
        });
    }

    private static DenseMatrix features(int from, int count, int[] labels, Rng rng) {
        float[] values = new float[count * FEATURES];
        for (int i = 0; i < count; i++) {
            labels[from + i] = rng.nextInt(CLASSES);
            long bits = rng.nextLong();
            for (int c = 0; c < FEATURES; c++) {
                // Cheap noise: the sum of some bits is nearly normal.
                bits = Seed.mix(bits + Seed.GOLDEN);
                values[i * FEATURES + c] = (Long.bitCount(bits) - 32) / 4f + (c % CLASSES == labels[from + i] ? 1 : 0);
            }
        }
        return DenseMatrix.of(count, FEATURES, values);
    }

    private static long edges(Path file, int nodes, Rng rng, PackWriter writer) throws IOException {
        try (WorkFolder work = WorkFolder.beside(file);
                EdgeBuckets buckets = new EdgeBuckets(work.path(), nodes, 10L * nodes)) {
            for (long e = 0; e < 5L * nodes; e++) {
                int from = rng.nextInt(nodes);
                int to = rng.nextInt(nodes);
                buckets.add(from, to);
                buckets.add(to, from);
            }
            buckets.writeTo(writer);
            return buckets.edges();
        }
    }
}
