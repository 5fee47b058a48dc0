// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Seconds and shuffled bytes per layer, all three in one run on one graph, and a table of them in Markdown at the end.
 *
 * <p>Arguments, all optional: nodes (100000), directed edges (2000000), width (64), blocks (8), share of edges between nodes with near
 * numbers (0), and the ways to run, each with a number of blocks of its own where it is {@code graphx:8} (all three with 4, then with 16).
 */
public final class LayerBenchmark {

    private static final int LAYERS = 3;

    private static final String ALL = "ours:4,graphx:4,datasets:4,ours:16,graphx:16,datasets:16";

    private LayerBenchmark() {}

    /** What a way needs to run. */
    record Setting(Dataset<Row> nodes, Dataset<Row> edges, int width, int blocks, int layers, ShuffleMeter meter) {}

    public static void main(String[] arguments) throws Exception {
        long nodes = number(arguments, 0, 100_000);
        long edges = number(arguments, 1, 2_000_000);
        int width = (int) number(arguments, 2, 64);
        int blocks = (int) number(arguments, 3, 8);
        double near = arguments.length > 4 ? Double.parseDouble(arguments[4]) : 0;
        List<String> ways = List.of((arguments.length > 5 ? arguments[5] : ALL).split(","));
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .appName("layers")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .getOrCreate()) {
            ShuffleMeter meter = new ShuffleMeter(spark);
            LayerTable table = new LayerTable();
            for (String way : ways) {
                String[] parts = way.split(":");
                int own = parts.length > 1 ? Integer.parseInt(parts[1]) : blocks;
                spark.conf().set("spark.sql.shuffle.partitions", own);
                Setting setting = new Setting(
                        RandomGraph.nodes(spark, nodes, width, own).cache(),
                        RandomGraph.edges(spark, nodes, edges / 2, near, own).cache(),
                        width,
                        own,
                        LAYERS,
                        meter);
                System.out.printf(
                        Locale.ROOT,
                        "%s: %,d nodes, %,d edges with directions, width %d, %d blocks%n",
                        parts[0],
                        setting.nodes.count(),
                        setting.edges.count(),
                        width,
                        own);
                run(parts[0], setting);
                table.add(own, meter.taken());
                forget(spark);
            }
            System.out.println(table.text());
        }
    }

    /** Whoever comes next has all memory. */
    private static void forget(SparkSession spark) {
        spark.catalog().clearCache();
        JavaSparkContext.fromSparkContext(spark.sparkContext())
                .getPersistentRDDs()
                .values()
                .forEach(rdd -> rdd.unpersist(true));
        System.gc();
    }

    private static void run(String way, Setting setting) {
        switch (way) {
            case "ours" -> OurLayers.run(setting);
            case "graphx" -> GraphXLayers.run(setting);
            case "datasets" -> DatasetLayers.run(setting);
            default -> throw new IllegalArgumentException(way);
        }
    }

    private static long number(String[] arguments, int place, long otherwise) {
        return arguments.length > place ? Long.parseLong(arguments[place]) : otherwise;
    }
}
