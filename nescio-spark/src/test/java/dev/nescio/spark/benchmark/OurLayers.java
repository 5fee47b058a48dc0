// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.spark.Graphs;
import dev.nescio.spark.block.BlockPlans;
import dev.nescio.spark.block.ByBlock;
import dev.nescio.spark.block.ModelPass;
import dev.nescio.spark.block.NodeBlock;
import dev.nescio.spark.block.PlainLayers;
import dev.nescio.spark.broadcast.SharedDetector;
import dev.nescio.spark.table.GraphTables;
import dev.nescio.spark.table.TableColumns;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

/** A plain convolution, then that of Nescio with everything that it does besides: normalisation, a second product, states that are kept. */
final class OurLayers {

    private OurLayers() {}

    static void run(LayerBenchmark.Setting setting) {
        ShuffleMeter meter = setting.meter();
        JavaSparkContext spark =
                JavaSparkContext.fromSparkContext(setting.nodes().sparkSession().sparkContext());
        SharedDetector detector = SharedDetector.of(detector(setting.width(), setting.layers() + 1), spark);
        ByBlock by = new ByBlock(setting.blocks());
        TableColumns columns = TableColumns.of(null);
        meter.begin();
        JavaRDD<NodeBlock> nodes = NodeBlock.of(
                        GraphTables.nodes(setting.nodes(), columns, null, setting.width()), setting.width(), by)
                .persist(StorageLevel.MEMORY_AND_DISK());
        nodes.count();
        meter.end("ours, nodes");
        meter.begin();
        BlockPlans plans = BlockPlans.of(nodes, GraphTables.edges(setting.edges(), columns), false, by);
        meter.end("ours, plans");
        BlockPlans.Size size = plans.size();
        long row = (long) Float.BYTES * setting.width();
        System.out.printf(
                Locale.ROOT,
                "  %,d edges, %,d of them between blocks (x width x 4 = %.1f MB), %,d rows sent (= %.1f MB)%n",
                size.edges(),
                size.edgesCut(),
                size.edgesCut() * row / 1e6,
                size.rowsSent(),
                size.rowsSent() * row / 1e6);
        meter.begin();
        PlainLayers.run(
                nodes,
                plans,
                RandomGraph.weights(setting.width()),
                setting.layers(),
                (round, rounds, seconds) -> after("plain", round, meter));
        meter.begin();
        new ModelPass(nodes, plans, detector)
                .run(
                        (whole, block, forward) -> Collections.emptyIterator(),
                        (round, rounds, seconds) -> after("gcn", round, meter));
        plans.forget();
        nodes.unpersist(false);
    }

    private static void after(String what, int round, ShuffleMeter meter) {
        meter.end("ours, " + what + (round == 0 ? ", input" : ", layer " + round));
        meter.begin();
    }

    private static Detector detector(int width, int layers) {
        Graph graph = Graphs.random(60, width, 1);
        DetectorOptions options = DetectorOptions.defaults()
                .withArchitecture("gcn")
                .withModel(ModelOptions.of(width, layers, 0, 1)
                        .in(Architectures.named("gcn").options(), Map.of()))
                .withTraining(TrainingOptions.of(0.01, 0, 1, 1, 1));
        return Detector.train(graph, SplitRules.choose(graph, "50/30/20:1"), options, TrainingListener.NONE);
    }
}
