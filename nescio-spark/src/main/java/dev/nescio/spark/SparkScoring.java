// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.decision.FalseAlarms;
import dev.nescio.detector.BlockScoring;
import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DividedDetector;
import dev.nescio.detector.ScoreTable;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.block.BlockPlans;
import dev.nescio.spark.block.ByBlock;
import dev.nescio.spark.block.DividedPass;
import dev.nescio.spark.block.ModelPass;
import dev.nescio.spark.block.NodeBlock;
import dev.nescio.spark.broadcast.SharedDetector;
import dev.nescio.spark.table.GraphTables;
import dev.nescio.spark.table.TableColumns;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Scores the nodes of a graph that lies in two Datasets. Every node gets what {@link Detector#score} gives it on one machine: the same
 * equations run on the same rows, block by block.
 *
 * <pre>{@code
 * Detector detector = DetectorFile.read(Path.of("fraud.nescio"));
 * Dataset<Row> scores = SparkScoring.score(detector, nodes, edges, SparkScoring.Options.defaults().withAlpha(0.05));
 * scores.where("flagged").write().parquet("flagged.parquet");
 * }</pre>
 */
public final class SparkScoring {

    private SparkScoring() {}

    /** Training rows are cut into parts of about this size: what is broadcast takes memory on every machine, twice while it is read. */
    static final long PART_BYTES = 512L << 20;

    /**
     * How to score.
     *
     * @param estimators by their labels or texts, the first one as epistemic uncertainty; empty for all that were fitted
     * @param wishes what is to be decided about every node
     * @param probabilities whether every class gets a column with its probability
     * @param dropDangling whether edges to nodes that are not there are left out, not refused
     * @param blocks that the nodes are cut into; 0 for two per core of the cluster
     * @param shards that training rows are cut into, of which a machine holds one at a time; 0 for one per 512 MiB of them
     */
    public record Options(
            List<String> estimators,
            Decisions.Wishes wishes,
            boolean probabilities,
            boolean dropDangling,
            int blocks,
            int shards)
            implements Serializable {

        /** Refuses negative numbers of blocks and shards; keeps a copy of the estimators. */
        public Options {
            estimators = new ArrayList<>(estimators);
            if (blocks < 0 || shards < 0) {
                throw new BadConfiguration("the number of " + (blocks < 0 ? "blocks" : "shards")
                        + " must not be negative, got " + Math.min(blocks, shards));
            }
        }

        /** All estimators, no decisions, two blocks per core, shards as large as they should be. */
        public static Options defaults() {
            return new Options(List.of(), Decisions.Wishes.NONE, false, false, 0, 0);
        }

        /** The same with these estimators alone. */
        public Options withEstimators(List<String> texts) {
            return new Options(texts, wishes, probabilities, dropDangling, blocks, shards);
        }

        /** The same with other wishes. */
        public Options withWishes(Decisions.Wishes others) {
            return new Options(estimators, others, probabilities, dropDangling, blocks, shards);
        }

        /** The same, and nodes are flagged that are more uncertain than all but this share of ordinary ones. */
        public Options withAlpha(double share) {
            return withWishes(wishes.withAlpha(share));
        }

        /** The same, and unusual nodes are listed, of which at most this share is ordinary, on average. */
        public Options withFalseAlarms(double share) {
            return withWishes(wishes.withFalseAlarms(share));
        }

        /** The same, and predictions are made only as far as they are this accurate on held-out nodes. */
        public Options withAccuracy(double wished) {
            return withWishes(wishes.withAccuracy(wished));
        }

        /** The same, and every node gets a set of labels that lacks the true one at most this often. */
        public Options withMissedLabels(double share) {
            return withWishes(wishes.withMissedLabels(share));
        }

        /** The same with a column of probabilities for every class. */
        public Options withProbabilities() {
            return new Options(estimators, wishes, true, dropDangling, blocks, shards);
        }

        /** The same without edges to nodes that are not there. */
        public Options withoutDanglingEdges() {
            return new Options(estimators, wishes, probabilities, true, blocks, shards);
        }

        /** The same with so many blocks. */
        public Options withBlocks(int count) {
            return new Options(estimators, wishes, probabilities, dropDangling, count, shards);
        }

        /** The same with so many shards. */
        public Options withShards(int count) {
            return new Options(estimators, wishes, probabilities, dropDangling, blocks, count);
        }

        private Detector chosen(Detector detector) {
            return estimators.isEmpty() ? detector : detector.withEstimators(estimators);
        }

        /** The detector with the estimators that were chosen and no others: nobody else's training rows are sent. */
        DividedDetector divided(Detector detector) {
            Detector chosen = chosen(detector);
            long parts = shards > 0 ? shards : 1 + DividedDetector.bytes(chosen) / PART_BYTES;
            return DividedDetector.of(chosen, (int) Math.min(Integer.MAX_VALUE, parts));
        }
    }

    /** Scores all nodes; see {@link #score(Detector, Dataset, Dataset, Options, ModelPass.Listener)}. */
    public static Dataset<Row> score(Detector detector, Dataset<Row> nodes, Dataset<Row> edges, Options options) {
        return score(detector, nodes, edges, options, ModelPass.Listener.NONE);
    }

    /**
     * Scores all nodes of a graph. All rounds of messages but the last are computed at once, the last one whenever the result is used: persist
     * what is used more than once, and a sort uses it twice. Where all scores are needed for a decision, or training rows are cut into
     * shards, all is computed at once and only the scores are kept. What is kept is forgotten when the result is.
     * Refuses Datasets without the columns that the detector was trained on or without nodes, repeated
     * ids, edges to unknown nodes, and estimators that look beyond a forward pass.
     *
     * @param nodes with the columns of the table that the detector was trained on; where it was not trained on tables, with {@code id} and
     *     {@code features}, an array or vector
     * @param edges with the ids of their ends
     * @param listener is told when rounds have been computed
     * @return one row per node in no particular order, with the columns of {@code nescio score}
     */
    public static Dataset<Row> score(
            Detector detector, Dataset<Row> nodes, Dataset<Row> edges, Options options, ModelPass.Listener listener) {
        JavaSparkContext spark =
                JavaSparkContext.fromSparkContext(nodes.sparkSession().sparkContext());
        StructType columns = columns(options.chosen(detector), options);
        TableColumns meant = TableColumns.of(detector.schema());
        meant.require(nodes.schema(), edges.schema(), detector.schema());
        ByBlock by = ByBlock.of(options.blocks, spark);
        int width = detector.model().shape().features();
        JavaRDD<NodeBlock> blocks = NodeBlock.of(GraphTables.nodes(nodes, meant, detector.schema(), width), width, by)
                .persist(StorageLevel.MEMORY_AND_DISK());
        Dataset<Row> scores = null;
        BlockPlans plans = null;
        try {
            Dataset<Row> known = options.dropDangling ? GraphTables.known(edges, nodes, meant) : edges;
            plans = BlockPlans.of(blocks, GraphTables.edges(known, meant), meant.directed(), by);
            if (plans.size().nodes() == 0) {
                throw new BadInput("nodes has no rows");
            }
            scores = scored(nodes.sparkSession(), detector, blocks, plans, columns, options, listener);
            return scores;
        } finally {
            if (scores == null) {
                blocks.unpersist(false);
                if (plans != null) {
                    plans.forget();
                }
            }
        }
    }

    private static Dataset<Row> scored(
            SparkSession session,
            Detector detector,
            JavaRDD<NodeBlock> blocks,
            BlockPlans plans,
            StructType columns,
            Options options,
            ModelPass.Listener listener) {
        JavaSparkContext spark = JavaSparkContext.fromSparkContext(blocks.context());
        ModelPass.Reader<Row> reader = (chosen, block, forward) -> rows(chosen, block, forward, options);
        DividedDetector divided = options.divided(detector);
        if (divided.parts() > 1) {
            JavaRDD<Row> rows = new DividedPass(blocks, plans, divided, spark).run(reader, listener);
            Dataset<Row> scores = listed(rows, columns, options.wishes.falseAlarms(), session);
            plans.forget();
            blocks.unpersist(false);
            return scores;
        }
        ModelPass pass = new ModelPass(blocks, plans, SharedDetector.of(options.chosen(detector), spark));
        boolean isNeeded = false;
        try {
            JavaRDD<Row> rows = pass.run(reader, listener);
            Dataset<Row> scores = listed(rows, columns, options.wishes.falseAlarms(), session);
            isNeeded = options.wishes.falseAlarms() == null;
            if (!isNeeded) {
                plans.forget();
                blocks.unpersist(false);
            }
            return scores;
        } finally {
            if (!isNeeded) {
                pass.forget();
            }
        }
    }

    /** A list with few false alarms depends on the p-values of all nodes, of which there are few different ones. */
    private static Dataset<Row> listed(
            JavaRDD<Row> rows, StructType columns, @Nullable Double falseAlarms, SparkSession session) {
        if (falseAlarms == null) {
            return session.createDataFrame(rows, columns);
        }
        Dataset<Row> all = session.createDataFrame(rows.persist(StorageLevel.MEMORY_AND_DISK()), columns);
        SortedMap<Double, Long> counts = new TreeMap<>();
        for (Row row :
                all.where("p_value is not null").groupBy("p_value").count().collectAsList()) {
            counts.put(row.getDouble(0), row.getLong(1));
        }
        Column isListed = functions.col("p_value").leq(FalseAlarms.level(counts, falseAlarms));
        return all.withColumn("listed", functions.coalesce(isListed, functions.lit(false)));
    }

    /** Refuses what {@link #score} would refuse before anything runs. */
    public static void require(Detector detector, Dataset<Row> nodes, Dataset<Row> edges, Options options) {
        columns(options.chosen(detector), options);
        TableColumns.of(detector.schema()).require(nodes.schema(), edges.schema(), detector.schema());
    }

    private static Iterator<Row> rows(Detector detector, NodeBlock block, Forward forward, Options options) {
        Scores scores =
                BlockScoring.scores(detector, detector.nodes(), NodeIds.named(block.ids()), forward, block::features);
        ScoreTable table = ScoreTable.of(scores, Decisions.of(scores, options.wishes), options.probabilities);
        return IntStream.range(0, table.rows())
                .mapToObj(row -> RowFactory.create(table.columns().values().stream()
                        .map(column -> cell(column.apply(row)))
                        .toArray()))
                .iterator();
    }

    private static @Nullable Object cell(@Nullable Object value) {
        return value instanceof List<?> texts ? texts.toArray() : value;
    }

    /** The columns of the result, from a graph of one node: whatever cannot be scored so is refused here, before anything runs. */
    private static StructType columns(Detector detector, Options options) {
        ScoreTable table = sample(detector, options.wishes, options.probabilities);
        StructType columns = new StructType();
        for (String name : table.columns().keySet()) {
            columns = columns.add(name, type(table.kind(name)));
        }
        return columns;
    }

    private static ScoreTable sample(Detector detector, Decisions.Wishes wishes, boolean probabilities) {
        Scores scores = sampleScores(detector);
        return ScoreTable.of(scores, Decisions.of(scores, wishes), probabilities);
    }

    private static Scores sampleScores(Detector detector) {
        BlockScoring.require(detector.options());
        int width = detector.model().shape().features();
        return detector.score(Graph.builder("sample", Adjacency.empty(1))
                .features(DenseMatrix.of(1, width, new float[width]))
                .ids(NodeIds.named(List.of("a node that nobody knows")))
                .build());
    }

    /** What a user should know about the estimators and about decisions that these options ask for, whatever the nodes are. */
    public static List<String> remarks(Detector detector, Options options) {
        Detector chosen = options.chosen(detector);
        return Stream.concat(
                        chosen.estimators().remarks().stream().map(remark -> "note: " + remark),
                        Decisions.of(sampleScores(chosen), options.wishes).remarks().stream())
                .toList();
    }

    private static DataType type(ScoreTable.Kind kind) {
        return switch (kind) {
            case NUMBER -> DataTypes.DoubleType;
            case TRUTH -> DataTypes.BooleanType;
            case TEXTS -> DataTypes.createArrayType(DataTypes.StringType);
            case TEXT -> DataTypes.StringType;
        };
    }
}
