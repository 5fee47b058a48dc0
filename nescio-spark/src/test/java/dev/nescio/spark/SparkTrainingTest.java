// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.io.table.TableReader;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.block.BlockPlans;
import dev.nescio.spark.block.ByBlock;
import dev.nescio.spark.block.ModelPass;
import dev.nescio.spark.block.NodeBlock;
import dev.nescio.spark.broadcast.SharedDetector;
import dev.nescio.spark.table.DatasetSource;
import dev.nescio.spark.table.GraphTables;
import dev.nescio.spark.table.TableColumns;
import dev.nescio.uncertainty.Population;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is trained on propagated rows is what one machine trains on the whole graph. */
class SparkTrainingTest {

    private static final int NODES = 300;
    private static final String SPLIT = "50/30/20:1";
    private static final TableLayout LAYOUT =
            TableLayout.defaults().with().label("kind").build();

    @TempDir
    static Path folder;

    private static SparkSession spark;
    private static Dataset<Row> nodes;
    private static Dataset<Row> edges;
    private static Graph graph;

    @BeforeAll
    static void start() throws IOException {
        spark = LocalSpark.start();
        Random random = new Random(5);
        StringBuilder rows = new StringBuilder("id,x,y,colour,kind\n");
        StringBuilder pairs = new StringBuilder("source,target\n");
        for (int v = 0; v < NODES; v++) {
            int kind = v % 3;
            rows.append(1000 + v)
                    .append(',')
                    .append(kind + 2 * random.nextGaussian())
                    .append(',')
                    .append(v % 17 == 0 ? "" : 3 * random.nextGaussian() - kind)
                    .append(',')
                    .append(new String[] {"red", "green"}[(v / 3) % 2])
                    .append(',')
                    .append(v % 5 == 0 ? "" : new String[] {"a", "b", "c"}[kind])
                    .append('\n');
            for (int e = 0; e < 3; e++) {
                int other = e == 0 ? random.nextInt(NODES) : (v + 3 * random.nextInt(NODES / 3)) % NODES;
                pairs.append(1000 + v).append(',').append(1000 + other).append('\n');
            }
        }
        Path nodeFile = Files.writeString(folder.resolve("nodes.csv"), rows);
        Path edgeFile = Files.writeString(folder.resolve("edges.csv"), pairs);
        graph = TableGraph.read(nodeFile, edgeFile, LAYOUT);
        nodes = Tables.read(nodeFile.toString(), spark);
        edges = Tables.read(edgeFile.toString(), spark);
    }

    @AfterAll
    static void stop() throws Exception {
        spark.close();
    }

    private static DetectorOptions options(String... estimators) {
        ModelOptions small =
                ModelOptions.of(8, 2, 0.2, 1).in(Architectures.named("fsgnn").options(), Map.of("hops", "2"));
        return DetectorOptions.defaults()
                .withArchitecture("fsgnn")
                .withModel(small)
                .withTraining(TrainingOptions.of(0.02, 1e-4, 12, 12, 3).with(TrainingOptions.BATCH_NODES, 32))
                .withEstimators(estimators);
    }

    private static Detector onCluster(DetectorOptions options, int blocks) {
        return SparkTraining.train(
                nodes,
                edges,
                SparkTraining.Options.defaults()
                        .withLayout(LAYOUT)
                        .withSplit(SPLIT)
                        .withDetector(options)
                        .withBlocks(blocks));
    }

    private static Detector onOneMachine(DetectorOptions options) {
        return Detector.train(graph, SplitRules.choose(graph, SPLIT), options, TrainingListener.NONE);
    }

    private static void assertSameWeights(Detector actual, Detector expected, double tolerance) {
        Map<String, NdArray> wanted = expected.model().parameters();
        assertThat(actual.model().parameters()).containsOnlyKeys(wanted.keySet());
        wanted.forEach((name, array) -> {
            float[] right = ((NdArray.Floats) array).values();
            float[] found = ((NdArray.Floats) actual.model().parameters().get(name)).values();
            double largest = 0;
            for (float value : right) {
                largest = Math.max(largest, Math.abs(value));
            }
            for (int i = 0; i < right.length; i++) {
                assertThat((double) found[i]).as(name + " " + i).isCloseTo(right[i], within(tolerance * largest));
            }
        });
    }

    /** One block sums neighbours in the order of one machine. */
    @Test
    void learnsTheWeightsOfOneMachineToTheBit() {
        DetectorOptions options = options("jlde-relative", "jlde:pca=training");
        Detector expected = onOneMachine(options);
        Detector actual = onCluster(options, 1);
        assertSameWeights(actual, expected, 0);
        assertThat(actual.provenance().nodes()).isEqualTo(expected.provenance().nodes());
        assertThat(actual.provenance().edges()).isEqualTo(expected.provenance().edges());
        assertThat(actual.provenance().bestEpoch())
                .isEqualTo(expected.provenance().bestEpoch());
        assertThat(actual.nodes().training()).isEqualTo(expected.nodes().training());
        assertThat(actual.nodes().heldOut()).isEqualTo(expected.nodes().heldOut());
        assertThat(actual.schema()).isEqualTo(expected.schema());
        assertThat(actual.score(graph).epistemic())
                .containsExactly(expected.score(graph).epistemic(), within(1e-6));
        assertThat(actual.calibration().pValues("jlde").size())
                .isEqualTo(expected.calibration().pValues("jlde").size());
    }

    /** Principal components of jlde are those of all nodes, most of which never come to the driver. */
    @Test
    void scoresOfManyBlocksAgreeWithOneMachine() {
        DetectorOptions options = options("jlde", "jlde-kde:scaling=isotropic");
        Detector expected = onOneMachine(options);
        Detector actual = onCluster(options, 3);
        assertSameWeights(actual, expected, 1e-5);
        double[] wanted = expected.score(graph).epistemic();
        double[] found = actual.score(graph).epistemic();
        assertThat(found).containsExactly(wanted, within(1e-5));
        SparkScoring.Options scoring =
                SparkScoring.Options.defaults().withBlocks(3).withAlpha(0.1);
        Graphs.assertSame(
                SparkScoring.score(actual, nodes, edges, scoring), actual, graph, Decisions.Wishes.NONE.withAlpha(0.1));
    }

    /** Learning what columns mean stops where it has seen enough: other partitions are not run, and none is brought as a whole. */
    @Test
    void fewPartitionsAreRunToLearnFromTheFirstRows() {
        LongAccumulator read = spark.sparkContext().longAccumulator();
        Dataset<Row> counted = spark.range(0, 1000, 1, 10)
                .toDF("id")
                .map(
                        (MapFunction<Row, Row>) row -> {
                            read.add(1);
                            return row;
                        },
                        Encoders.row(new StructType().add("id", DataTypes.LongType)));
        TableReader reader =
                new DatasetSource("nodes", SparkTraining.first(counted, 30)).open(TableGraph.Listener.NONE);
        for (int i = 0; i < 30; i++) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.text(0)).isEqualTo(Integer.toString(i));
        }
        assertThat(read.value()).isBetween(30L, 32L);
    }

    @Test
    void keepsNothing() {
        Set<Integer> before = kept();
        onCluster(options("jlde"), 3);
        Set<Integer> after = new HashSet<>(kept());
        after.removeAll(before);
        assertThat(after).isEmpty();
        Dataset<Row> dangling = edges.union(edges.limit(1).withColumn("target", functions.lit("nobody")));
        assertThatThrownBy(() -> SparkTraining.train(
                        nodes, dangling, SparkTraining.Options.defaults().withLayout(LAYOUT)))
                .satisfies(e -> assertThat(Mistakes.of(e)).contains("'nobody'"));
        Set<Integer> failed = new HashSet<>(kept());
        failed.removeAll(before);
        assertThat(failed).isEmpty();
    }

    private static final AtomicInteger LOOKS = new AtomicInteger();

    /** Rows that are drawn by chance are others when they are read again, and nothing must be learned from nodes that did not come. */
    @Test
    void refusesNodesThatAreOthersTheNextTime() {
        LOOKS.set(0);
        Dataset<Row> drawn = nodes.filter(
                (FilterFunction<Row>) row -> !row.getString(0).equals("1001") || LOOKS.incrementAndGet() <= 2);
        TableLayout layout = LAYOUT.with().dropDangling(true).build();
        assertThatThrownBy(() -> SparkTraining.train(
                        drawn,
                        edges,
                        SparkTraining.Options.defaults()
                                .withLayout(layout)
                                .withSplit("90/9/1:1")
                                .withDetector(options("ebm"))))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("nodes gave other rows when it was read again");
    }

    /** States of all nodes are looked at twice, for principal components and for scales, and computed once. */
    @Test
    void statesOfAllNodesAreComputedOnce() {
        AtomicInteger passes = new AtomicInteger();
        Detector detector = onOneMachine(options("ebm"));
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        int width = detector.model().shape().features();
        ByBlock by = new ByBlock(3);
        TableColumns columns = TableColumns.of(detector.schema());
        JavaRDD<NodeBlock> blocks = NodeBlock.of(GraphTables.nodes(nodes, columns, detector.schema(), width), width, by)
                .persist(StorageLevel.MEMORY_AND_DISK());
        BlockPlans plans = BlockPlans.of(blocks, GraphTables.edges(edges, columns), false, by);
        List<Integer> rows = new ArrayList<>();
        try (AllStates all = new AllStates(model -> {
            passes.incrementAndGet();
            return new ModelPass(blocks, plans, SharedDetector.of(detector, context));
        })) {
            Population states = all.of(detector.model());
            assertThat(passes).hasValue(0);
            for (int time = 0; time < 2; time++) {
                states.forEach(block -> rows.add(block.get(0).rows()));
            }
        }
        assertThat(passes).hasValue(1);
        assertThat(rows).hasSize(6);
        assertThat(rows.stream().mapToInt(i -> i).sum()).isEqualTo(2 * NODES);
        plans.forget();
        blocks.unpersist(false);
    }

    private static Set<Integer> kept() {
        return Set.copyOf(JavaSparkContext.fromSparkContext(spark.sparkContext())
                .getPersistentRDDs()
                .keySet());
    }

    @Test
    void aCommandTrainsADetectorFile() throws Exception {
        Path target = folder.resolve("trained.nescio");
        NescioSpark command = new NescioSpark(spark, System.out, System.err);
        assertThat(command.run(
                        "train",
                        folder.resolve("nodes.csv").toString(),
                        folder.resolve("edges.csv").toString(),
                        "--label",
                        "kind",
                        "--split",
                        SPLIT,
                        "--epochs",
                        "3",
                        "--hops",
                        "1",
                        "--hidden",
                        "8",
                        "--out",
                        target.toString()))
                .isZero();
        Detector detector = DetectorFile.read(target);
        assertThat(detector.options().architecture().name()).isEqualTo("fsgnn");
        assertThat(detector.model().shape().features())
                .isEqualTo(graph.features().columns());
        assertThat(detector.classes()).containsExactly("a", "b", "c");
        assertThat(detector.score(graph).nodes()).isEqualTo(NODES);
    }

    @Test
    void refusesWhatCannotBeTrainedSo() {
        assertThatThrownBy(() -> SparkTraining.Options.defaults().withDetector(DetectorOptions.defaults()))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("res-gcn cannot be trained on features that were propagated before; fsgnn can");
        assertThatThrownBy(() -> SparkTraining.train(nodes.drop("kind", "y"), edges, SparkTraining.Options.defaults()))
                .isInstanceOf(BadInput.class)
                .hasMessage("nodes has no column of labels; --label names it");
    }
}
