// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.pack.Communities;
import dev.nescio.io.pack.EdgeBuckets;
import dev.nescio.io.pack.PackWriter;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.io.pack.Reordering;
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
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * What an order of nodes by communities is worth: a packed graph with communities whose nodes are numbered by chance, ten neighbours and
 * 64 features per node, and the same graph in the other order. Prints for both how many rows the blocks gather, and the time of a pass
 * of Res-GCN by blocks that keeps no states in memory.
 */
@CommandLine.Command(name = "order", mixinStandardHelpOptions = true)
final class OrderBenchmark implements Callable<Integer> {

    private static final int FEATURES = 64;
    private static final int TRAINING_GRAPH = 20_000;
    /** So little that states are never kept in it; blocks have a given size. */
    private static final long MEMORY = 1 << 20;

    @Option(names = "--nodes", defaultValue = "200000")
    int nodes;

    @Option(names = "--community", defaultValue = "1000", description = "Nodes of a community.")
    int community;

    @Option(names = "--within", defaultValue = "0.9", description = "The share of edges within communities.")
    double within;

    @Option(names = "--block-nodes", defaultValue = "8192")
    int blockNodes;

    @Option(names = "--folder", paramLabel = "DIR", description = "For the graphs and temporary files.")
    Path folder = Path.of(".");

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        try (WorkFolder work = WorkFolder.beside(folder.resolve("order"))) {
            Path small = work.path().resolve("small.npk");
            Path table = work.path().resolve("table.npk");
            Path ordered = work.path().resolve("communities.npk");
            write(small, TRAINING_GRAPH, 0);
            Detector detector = detector(small);
            try (PackedGraph graph = PackedGraph.open(small)) {
                pass(graph, detector, work.path());
            }
            write(table, nodes, 1);
            try (PackedGraph graph = PackedGraph.open(table)) {
                long start = System.nanoTime();
                int[] places = Communities.places(graph);
                double ordering = seconds(start);
                start = System.nanoTime();
                Reordering.write(graph, places, work.path(), "", ordered);
                double rewriting = seconds(start);
                print("table", graph, detector, work.path(), 0, 0);
                try (PackedGraph again = PackedGraph.open(ordered)) {
                    print("communities", again, detector, work.path(), ordering, rewriting);
                }
            }
        }
        return 0;
    }

    private void print(
            String order, PackedGraph graph, Detector detector, Path work, double ordering, double rewriting) {
        long rows = rows(graph);
        long blocks = (nodes + (long) blockNodes - 1) / blockNodes;
        double seconds = pass(graph, detector, work);
        System.out.printf(
                Locale.ROOT,
                "{\"order\": \"%s\", \"nodes\": %d, \"edges\": %d, \"block_nodes\": %d, \"rows_per_block\": %d, "
                        + "\"outside_per_block\": %d, \"pass_s\": %.1f, \"order_s\": %.1f, \"rewrite_s\": %.1f}%n",
                order,
                nodes,
                graph.edges(),
                blockNodes,
                rows / blocks,
                (rows - nodes) / blocks,
                seconds,
                ordering,
                rewriting);
    }

    private double pass(PackedGraph graph, Detector detector, Path work) {
        long[] passed = {0};
        long start = System.nanoTime();
        BlockPass.run(
                detector.model(),
                graph,
                UnaryOperator.identity(),
                new BlockPass.Options(work, MEMORY, blockNodes),
                (from, forward) -> passed[0] += forward.logits().rows(),
                Progress.NONE);
        if (passed[0] != graph.nodes()) {
            throw new IllegalStateException(passed[0] + " nodes were passed");
        }
        return seconds(start);
    }

    /** Rows that all blocks gather: their nodes, and their neighbours elsewhere. */
    private long rows(BlockGraph graph) {
        long rows = 0;
        BitSet sources = new BitSet(nodes);
        for (int from = 0; from < nodes; from += blockNodes) {
            int count = Math.min(blockNodes, nodes - from);
            sources.clear();
            sources.set(from, from + count);
            for (int neighbour : graph.links(from, count).neighbours()) {
                sources.set(neighbour);
            }
            rows += sources.cardinality();
        }
        return rows;
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private static Detector detector(Path file) {
        try (PackedGraph small = PackedGraph.open(file)) {
            Graph graph = small.toGraph();
            return Detector.train(
                    graph,
                    SplitRules.choose(graph, "10/10/80:0"),
                    DetectorOptions.defaults()
                            .withArchitecture("res-gcn")
                            .with(ModelOptions.HIDDEN, 64)
                            .with(TrainingOptions.EPOCHS, 5)
                            .withEstimators("ebm"),
                    TrainingListener.NONE);
        }
    }

    private void write(Path file, int count, int seed) {
        Rng rng = new Seed(seed).rng();
        PackWriter.write(file, writer -> {
            int[] labels = IntStream.range(0, count).map(v -> v % 2).toArray();
            for (int from = 0; from < count; from += PackWriter.PIECE) {
                int rows = Math.min(PackWriter.PIECE, count - from);
                writer.features(RandomGraph.gaussian(rows, FEATURES, 1, rng));
                writer.labels(labels, from, rows);
            }
            long edges = edges(file, count, rng, writer);
            return new PackWriter.Summary("communities", count, FEATURES, edges, true, List.of("a", "b"), null, "");
        });
    }

    private long edges(Path file, int count, Rng rng, PackWriter writer) throws IOException {
        int[] number = IntStream.range(0, count).toArray();
        rng.shuffle(number);
        try (WorkFolder work = WorkFolder.beside(file);
                EdgeBuckets buckets = new EdgeBuckets(work.path(), count, 10L * count)) {
            for (long e = 0; e < 5L * count; e++) {
                int v = rng.nextInt(count);
                int begin = v / community * community;
                int u = rng.nextDouble() < within
                        ? begin + rng.nextInt(Math.min(community, count - begin))
                        : rng.nextInt(count);
                buckets.add(number[v], number[u]);
                buckets.add(number[u], number[v]);
            }
            buckets.writeTo(writer);
            return buckets.edges();
        }
    }
}
