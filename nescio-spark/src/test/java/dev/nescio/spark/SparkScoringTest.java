// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.model.Architecture;
import dev.nescio.model.network.Architectures;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.block.ModelPass;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SparkScoringTest {

    private static final Graph GRAPH = Graphs.random(90, 6, 5);

    private static SparkSession spark;
    private static Dataset<Row> nodes;
    private static Dataset<Row> edges;

    @BeforeAll
    static void start() {
        // Kryo knows neither records nor final fields by itself; a user may have chosen it.
        spark = LocalSpark.start("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
        nodes = Graphs.nodes(spark, GRAPH);
        edges = Graphs.edges(spark, GRAPH);
    }

    @AfterAll
    static void stop() throws Exception {
        spark.close();
    }

    static Stream<String> architectures() {
        return Architectures.all().stream().map(Architecture::name);
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void everyModelScoresAsOnOneMachine(String architecture) {
        Detector detector = Graphs.detector(GRAPH, architecture, "jlde-relative", "jlde", "ebm");
        SparkScoring.Options options =
                SparkScoring.Options.defaults().withAlpha(0.2).withBlocks(4);
        Graphs.assertSame(
                SparkScoring.score(detector, nodes, edges, options),
                detector,
                GRAPH,
                Decisions.Wishes.NONE.withAlpha(0.2));
    }

    @Test
    void moreBlocksThanNodesChangeNothing() {
        Graph few = Graphs.random(30, 6, 7);
        Detector detector = Graphs.detector(GRAPH, "res-gcn");
        Graphs.assertSame(
                SparkScoring.score(
                        detector,
                        Graphs.nodes(spark, few),
                        Graphs.edges(spark, few),
                        SparkScoring.Options.defaults().withBlocks(60)),
                detector,
                few,
                Decisions.Wishes.NONE);
    }

    @Test
    void choosesEstimatorsAndDecides() {
        Detector detector = Graphs.detector(GRAPH, "gcn", "jlde", "ebm");
        SparkScoring.Options options = SparkScoring.Options.defaults()
                .withEstimators(List.of("ebm"))
                .withAccuracy(0.5)
                .withMissedLabels(0.3)
                .withBlocks(3);
        Graphs.assertSame(
                SparkScoring.score(detector, nodes, edges, options),
                detector.withEstimators(List.of("ebm")),
                GRAPH,
                Decisions.Wishes.NONE.withAccuracy(0.5).withMissedLabels(0.3));
    }

    /** Training nodes, which are not compared with themselves, are among the nodes. */
    @Test
    void trainingRowsInShardsGiveTheScoresOfAll() {
        Detector detector = Graphs.detector(
                GRAPH,
                "res-gcn",
                "jlde-relative",
                "jlde:energy=true,separate=true",
                "jlde-kde",
                "jlde-relative-kde",
                "jlde-mixture",
                "ebm");
        SparkScoring.Options options =
                SparkScoring.Options.defaults().withBlocks(3).withAlpha(0.2);
        assertAlike(
                SparkScoring.score(detector, nodes, edges, options.withShards(4)),
                SparkScoring.score(detector, nodes, edges, options.withShards(1)));
        SparkScoring.Options kernels = options.withEstimators(List.of("jlde-kde"));
        assertAlike(
                SparkScoring.score(detector, nodes, edges, kernels.withShards(1000)),
                SparkScoring.score(detector, nodes, edges, kernels));
    }

    /** Texts and truths exactly, numbers to a millionth. */
    private static void assertAlike(Dataset<Row> actual, Dataset<Row> expected) {
        List<Row> found = actual.orderBy("node").collectAsList();
        List<Row> wanted = expected.orderBy("node").collectAsList();
        assertThat(found).hasSameSizeAs(wanted);
        double largest = 0;
        for (int i = 0; i < found.size(); i++) {
            for (int column = 0; column < wanted.get(i).size(); column++) {
                Object value = wanted.get(i).get(column);
                if (value instanceof Double number) {
                    double difference = Math.abs(found.get(i).getDouble(column) - number);
                    largest = Math.max(largest, difference / Math.max(1e-3, Math.abs(number)));
                } else {
                    assertThat(found.get(i).get(column)).isEqualTo(value);
                }
            }
        }
        assertThat(largest).isLessThanOrEqualTo(1e-6);
    }

    @Test
    void listsNodesWithFewFalseAlarms() {
        Detector detector = Graphs.detector(GRAPH, "res-gcn");
        Graph strange = Graphs.withFarTestNodes(GRAPH);
        Decisions.Wishes wishes =
                Decisions.Wishes.NONE.withAlpha(0.2).withFalseAlarms(0.4).withAccuracy(0.5);
        Dataset<Row> scores = SparkScoring.score(
                detector,
                Graphs.nodes(spark, strange),
                edges,
                SparkScoring.Options.defaults().withBlocks(3).withWishes(wishes));
        Graphs.assertSame(scores, detector, strange, wishes);
        assertThat(scores.where("listed").count()).isPositive();
    }

    @Test
    void leavesOutEdgesToUnknownNodesWhereThatIsWanted() {
        Detector detector = Graphs.detector(GRAPH, "gcn");
        Dataset<Row> more = edges.union(spark.createDataFrame(
                List.of(RowFactory.create("node 1", "stranger"), RowFactory.create(null, "node 2")), edges.schema()));
        Graphs.assertSame(
                SparkScoring.score(
                        detector,
                        nodes,
                        more,
                        SparkScoring.Options.defaults().withBlocks(3).withoutDanglingEdges()),
                detector,
                GRAPH,
                Decisions.Wishes.NONE);
    }

    @Test
    void sameBitsHoweverRowsLie() {
        Detector detector = Graphs.detector(GRAPH, "gatv2");
        SparkScoring.Options options = SparkScoring.Options.defaults().withBlocks(5);
        List<Row> once = SparkScoring.score(detector, nodes, edges, options)
                .orderBy("node")
                .collectAsList();
        List<Row> again = SparkScoring.score(
                        detector,
                        nodes.repartition(7).orderBy("features"),
                        edges.repartition(3).orderBy("target"),
                        options)
                .orderBy("node")
                .collectAsList();
        assertThat(again).isEqualTo(once);
    }

    /** Neighbours are summed in the order of their ids, whatever block they are in; dense products may be rounded by the rows of a block. */
    @Test
    void sameScoresWithAnyNumberOfBlocks() {
        Graph hub = Graphs.random(900, 6, 9);
        Detector detector = Graphs.detector(hub, "res-gcn");
        Dataset<Row> whole = scored(detector, hub, 1);
        assertAlike(scored(detector, hub, 3), whole);
        assertAlike(scored(detector, hub, 8), whole);
    }

    private static Dataset<Row> scored(Detector detector, Graph graph, int blocks) {
        return SparkScoring.score(
                detector,
                Graphs.nodes(spark, graph),
                Graphs.edges(spark, graph),
                SparkScoring.Options.defaults().withBlocks(blocks));
    }

    /** Nobody's training rows are sent but those of the estimators that were chosen. */
    @Test
    void otherEstimatorsAreNotSent() {
        Detector detector = Graphs.detector(GRAPH, "gcn", "jlde", "ebm");
        SparkScoring.Options many = SparkScoring.Options.defaults().withShards(1000);
        assertThat(many.divided(detector).parts()).isGreaterThan(1);
        assertThat(many.withEstimators(List.of("ebm")).divided(detector).parts())
                .isEqualTo(1);
    }

    /** What was kept on the way is forgotten where all scores are known. */
    @Test
    void keepsScoresAndNothingElse() {
        Detector detector = Graphs.detector(GRAPH, "gcn");
        SparkScoring.Options options =
                SparkScoring.Options.defaults().withBlocks(3).withAlpha(0.2);
        for (SparkScoring.Options eager : List.of(options.withShards(3), options.withFalseAlarms(0.4))) {
            Set<Integer> before = kept();
            Dataset<Row> scores = SparkScoring.score(detector, nodes, edges, eager);
            assertThat(keptSince(before)).hasSize(1);
            assertThat(scores.count()).isEqualTo(90);
        }
        Dataset<Row> dangling =
                edges.union(spark.createDataFrame(List.of(RowFactory.create("node 1", "stranger")), edges.schema()));
        Set<Integer> before = kept();
        assertThatThrownBy(() -> SparkScoring.score(detector, nodes, dangling, options))
                .satisfies(e -> assertThat(Mistakes.of(e)).contains("'stranger'"));
        assertThat(keptSince(before)).isEmpty();
        ModelPass.Listener full = (round, rounds, seconds) -> {
            if (round == 1) {
                throw new IllegalStateException("the disk is full");
            }
        };
        for (SparkScoring.Options each : List.of(options, options.withShards(3))) {
            assertThatThrownBy(() -> SparkScoring.score(detector, nodes, edges, each, full))
                    .hasMessage("the disk is full");
            assertThat(keptSince(before)).isEmpty();
        }
    }

    private static Set<Integer> kept() {
        return Set.copyOf(JavaSparkContext.fromSparkContext(spark.sparkContext())
                .getPersistentRDDs()
                .keySet());
    }

    private static Set<Integer> keptSince(Set<Integer> before) {
        Set<Integer> since = new HashSet<>(kept());
        since.removeAll(before);
        return since;
    }

    /** Times are written by Java and by Spark in two ways, and bytes by neither. */
    @Test
    void idsAreTextsAsSparkWritesThem() {
        Detector detector = Graphs.detector(GRAPH, "gcn");
        Dataset<Row> timed = nodes.withColumn("id", time("id"));
        Dataset<Row> ends = edges.withColumn("source", time("source")).withColumn("target", time("target"));
        SparkScoring.Options options = SparkScoring.Options.defaults().withBlocks(3);
        for (SparkScoring.Options some : List.of(options, options.withoutDanglingEdges())) {
            List<Row> found = SparkScoring.score(detector, timed, ends, some)
                    .orderBy("node")
                    .collectAsList();
            assertThat(found).hasSize(90);
            assertThat(found.get(1).getString(0)).matches("1970-01-01 \\d\\d:00:01");
        }
        assertThatThrownBy(() -> SparkScoring.score(
                        detector,
                        nodes.withColumn("id", functions.encode(functions.col("id"), "utf-8")),
                        edges,
                        options))
                .isInstanceOf(BadInput.class)
                .hasMessage("nodes: column 'id' holds bytes, which are no ids; texts and numbers are");
    }

    private static Column time(String column) {
        return functions.expr("timestamp_seconds(cast(substring(" + column + ", 6) AS int))");
    }

    @Test
    void refusesAnEdgeToAnUnknownNode() {
        Detector detector = Graphs.detector(GRAPH, "gcn");
        Dataset<Row> more =
                edges.union(spark.createDataFrame(List.of(RowFactory.create("node 1", "stranger")), edges.schema()));
        assertThatThrownBy(() -> SparkScoring.score(detector, nodes, more, SparkScoring.Options.defaults()))
                .satisfies(e -> assertThat(Mistakes.of(e))
                        .isEqualTo("edges: 'stranger' is not the id of a node; --drop-dangling leaves such edges out"));
    }

    @Test
    void refusesTwoNodesWithOneId() {
        Detector detector = Graphs.detector(GRAPH, "gcn");
        assertThatThrownBy(() -> SparkScoring.score(
                        detector, nodes.union(nodes.where("id = 'node 7'")), edges, SparkScoring.Options.defaults()))
                .satisfies(e -> assertThat(Mistakes.of(e)).isEqualTo("nodes: 'node 7' is the id of two nodes"));
    }

    @Test
    void refusesFeaturesOfAnotherWidth() {
        Detector detector = Graphs.detector(GRAPH, "gcn");
        Graph wider = Graphs.random(30, 7, 1);
        assertThatThrownBy(() -> SparkScoring.score(
                        detector,
                        Graphs.nodes(spark, wider).where("id = 'node 4'"),
                        edges,
                        SparkScoring.Options.defaults()))
                .satisfies(e -> assertThat(Mistakes.of(e))
                        .isEqualTo("nodes: node 'node 4' has 7 features, but the detector was trained on 6"));
    }

    @Test
    void refusesBeforeAnythingRuns() {
        Detector detector = Graphs.detector(GRAPH, "gcn", "jlde", "gnnsafe");
        assertThatThrownBy(() -> SparkScoring.score(detector, nodes, edges, SparkScoring.Options.defaults()))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("gnnsafe needs");
        Detector plain = detector.withEstimators(List.of("jlde"));
        assertThatThrownBy(() -> SparkScoring.score(
                        plain, nodes, edges.withColumnRenamed("target", "to"), SparkScoring.Options.defaults()))
                .isInstanceOf(BadInput.class)
                .hasMessage("edges has no column 'target', which the detector needs; it has source, to");
        assertThatThrownBy(() -> SparkScoring.Options.defaults().withBlocks(-1))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("the number of blocks must not be negative, got -1");
        assertThatThrownBy(() -> SparkScoring.Options.defaults().withShards(-2))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("the number of shards must not be negative, got -2");
    }
}
