// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.decision.Calibration;
import dev.nescio.detector.BlockTraining;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.FittedEstimators;
import dev.nescio.detector.KnownNodes;
import dev.nescio.detector.Provenance;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.io.graph.TablePacker;
import dev.nescio.model.Model;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.block.BlockPlans;
import dev.nescio.spark.block.ByBlock;
import dev.nescio.spark.block.HopPass;
import dev.nescio.spark.block.ModelPass;
import dev.nescio.spark.block.NodeBlock;
import dev.nescio.spark.broadcast.SharedDetector;
import dev.nescio.spark.table.DatasetSource;
import dev.nescio.spark.table.GraphTables;
import dev.nescio.spark.table.TableColumns;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Trains a detector on a graph that no machine can hold. Only {@code fsgnn} can be trained so: its messages do not learn, so they are sent
 * once for all nodes, on the cluster. The rows of training and validation nodes go to a file of the driver, which trains in batches of them
 * exactly as one machine would in batches of all neighbours. The detector is an ordinary one.
 *
 * <pre>{@code
 * TableLayout layout = TableLayout.defaults().with().label("fraud").build();
 * Detector detector = SparkTraining.train(nodes, edges, SparkTraining.Options.defaults().withLayout(layout));
 * DetectorFile.write(detector, Path.of("fraud.nescio"));
 * }</pre>
 */
public final class SparkTraining {

    /** Training nodes of a batch, unless somebody chooses otherwise. */
    static final int BATCH_NODES = 1024;

    private final JavaSparkContext spark;
    private final Options options;
    private final TableSchema schema;
    private final Graph labelled;
    private final Split split;
    private final TableColumns columns;
    private final ByBlock by;
    private final JavaRDD<NodeBlock> blocks;

    /**
     * How to train.
     *
     * @param layout what the columns mean
     * @param split a rule such as {@code 60/20/20:1}, or the name of the column that says train, validation or test; null for the first of
     *     the table, or a drawn one
     * @param detector model, training and estimators
     * @param memory bytes that the driver may use, about
     * @param blocks that the nodes are cut into; 0 for two per core of the cluster
     */
    public record Options(
            TableLayout layout, @Nullable String split, DetectorOptions detector, long memory, int blocks) {

        /** Refuses a negative number of blocks, and what cannot be trained so. */
        public Options {
            if (blocks < 0) {
                throw new BadConfiguration("the number of blocks must not be negative, got " + blocks);
            }
            BlockTraining.requireHops(detector);
        }

        /** {@code fsgnn} in batches of 1024 nodes, usual names of columns, the memory of this process, two blocks per core. */
        public static Options defaults() {
            DetectorOptions detector =
                    DetectorOptions.defaults().withArchitecture("fsgnn").with(TrainingOptions.BATCH_NODES, BATCH_NODES);
            return new Options(
                    TableLayout.defaults(), null, detector, Runtime.getRuntime().maxMemory(), 0);
        }

        /** The same with columns that mean something else. */
        public Options withLayout(TableLayout other) {
            return new Options(other, split, detector, memory, blocks);
        }

        /** The same with another split. */
        public Options withSplit(@Nullable String text) {
            return new Options(layout, text, detector, memory, blocks);
        }

        /** The same with other options of the detector; refuses other models than {@code fsgnn}. */
        public Options withDetector(DetectorOptions other) {
            return new Options(layout, split, other, memory, blocks);
        }

        /** The same with so many blocks. */
        public Options withBlocks(int count) {
            return new Options(layout, split, detector, memory, count);
        }
    }

    private SparkTraining(Dataset<Row> nodes, Dataset<Row> edges, Options options) {
        this.spark = JavaSparkContext.fromSparkContext(nodes.sparkSession().sparkContext());
        this.options = options;
        this.schema = TablePacker.learned(
                new DatasetSource("nodes", first(nodes, TablePacker.TEACHING_ROWS + 1)),
                new DatasetSource("edges", edges),
                options.layout,
                TableGraph.Listener.NONE);
        this.labelled = labelled(nodes);
        this.split = options.split == null ? SplitRules.first(labelled) : SplitRules.choose(labelled, options.split);
        this.columns = TableColumns.of(schema);
        this.by = ByBlock.of(options.blocks, spark);
        this.blocks = NodeBlock.of(GraphTables.nodes(nodes, columns, schema, schema.width()), schema.width(), by);
    }

    /** Every partition ends after so many rows: whoever stops there has run as few partitions as can be, and held no more. */
    static Dataset<Row> first(Dataset<Row> table, int rows) {
        return table.mapPartitions(
                (MapPartitionsFunction<Row, Row>) some -> CollectionConverters.asJava(
                        CollectionConverters.asScala(some).take(rows)),
                Encoders.row(table.schema()));
    }

    /** Trains without reporting progress. */
    public static Detector train(Dataset<Row> nodes, Dataset<Row> edges, Options options) {
        return train(nodes, edges, options, ModelPass.Listener.NONE, TrainingListener.NONE);
    }

    /**
     * Trains a detector. Nodes are in the order of their ids, whatever order the Dataset has; only those with a label come to the driver,
     * and their hops only where they are training or validation nodes. Refuses what {@link BlockTraining} refuses and, unless the
     * layout says otherwise, edges to unknown nodes.
     *
     * @param rounds is told when rounds of messages have been computed
     */
    public static Detector train(
            Dataset<Row> nodes,
            Dataset<Row> edges,
            Options options,
            ModelPass.Listener rounds,
            TrainingListener listener) {
        SparkTraining training = new SparkTraining(nodes, edges, options);
        Path near = Path.of(System.getProperty("java.io.tmpdir"), "nescio-train");
        try (WorkFolder folder = WorkFolder.beside(near)) {
            training.blocks.persist(StorageLevel.MEMORY_AND_DISK());
            Dataset<Row> known =
                    options.layout.dropDangling() ? GraphTables.known(edges, nodes, training.columns) : edges;
            return training.train(known, folder.path(), rounds, listener);
        } finally {
            training.blocks.unpersist(false);
        }
    }

    private Detector train(Dataset<Row> edges, Path folder, ModelPass.Listener rounds, TrainingListener listener) {
        BlockPlans plans = BlockPlans.of(blocks, GraphTables.edges(edges, columns), schema.directed(), by);
        try {
            return train(plans, folder, rounds, listener);
        } finally {
            plans.forget();
        }
    }

    private Graph labelled(Dataset<Row> nodes) {
        String label = schema.label();
        if (label == null) {
            throw new BadInput("nodes has no column of labels; --label names it");
        }
        return GraphTables.labelled(
                nodes, options.layout.with().id(schema.id()).label(label).build());
    }

    private Detector train(BlockPlans plans, Path folder, ModelPass.Listener rounds, TrainingListener listener) {
        DetectorOptions detector = options.detector;
        int hops = detector.architecture().states(detector.model());
        NodeSet wanted = NodeSet.where(
                labelled.nodes(),
                v -> split.train().contains(v) || split.validation().contains(v));
        try (HopRows rows = new HopRows(labelled, wanted, schema, hops * schema.width(), folder);
                AllStates all = new AllStates(model -> pass(model, plans))) {
            Broadcast<Map<String, Integer>> places = spark.broadcast(rows.places());
            try {
                new HopPass(blocks, plans, detector.preprocessing()).run((hops - 1) / 2, places, rounds, rows::take);
            } finally {
                places.destroy();
            }
            rows.requireAll();
            BlockPlans.Size size = plans.size();
            return BlockTraining.train(
                    new BlockTraining.Hops(rows, size.nodes(), size.edges(), all::of),
                    among(wanted),
                    detector,
                    new BlockPass.Options(folder, options.memory, 0),
                    listener);
        }
    }

    /** The same split of the nodes that are wanted, by their places among these. */
    private Split among(NodeSet wanted) {
        int[] places = wanted.places(labelled.nodes());
        return split.with(placed(split.train(), places), placed(split.validation(), places), NodeSet.of());
    }

    private static NodeSet placed(NodeSet nodes, int[] places) {
        return NodeSet.of(nodes.stream().map(v -> places[v]).toArray());
    }

    /** A pass of a model that no estimator has been fitted for yet. */
    private ModelPass pass(Model model, BlockPlans plans) {
        DetectorOptions bare = options.detector.withEstimators("ebm");
        FittedEstimators none = FittedEstimators.of(
                List.of(new FittedEstimators.Entry(
                        Estimators.parse("ebm"), Estimators.parse("ebm").load(Map.of()))),
                labelled.classes(),
                1,
                Calibration.NONE);
        Provenance unknown = new Provenance("", "", 0, 0, "", List.of(), 1, 0, 0, 0, "");
        Detector detector = new Detector(bare, List.of(model), none, schema, KnownNodes.NONE, null, unknown);
        return new ModelPass(blocks, plans, SharedDetector.of(detector, spark));
    }
}
