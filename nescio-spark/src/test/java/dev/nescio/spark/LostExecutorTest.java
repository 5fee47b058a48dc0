// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.spark.block.ModelPass;
import dev.nescio.spark.study.SparkStudy;
import dev.nescio.spark.study.SparkStudyTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes, one of which dies while a task runs in it, with all that it has kept for later tasks. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LostExecutorTest {

    @TempDir
    static Path folder;

    private static final AtomicInteger LOST = new AtomicInteger();
    private static final AtomicInteger SUCCEEDED = new AtomicInteger();

    private static SparkSession spark;

    @BeforeAll
    static void start() {
        SparkSession.Builder builder = SparkSession.builder()
                .master("local-cluster[2,1,1024]")
                .appName("tests")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.executor.memory", "700m")
                .config("spark.executor.extraClassPath", classPath())
                .config("spark.executorEnv.OMP_NUM_THREADS", "1")
                .config("spark.executorEnv.OPENBLAS_NUM_THREADS", "1")
                .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"));
        StoppedTask.settings(folder).forEach(builder::config);
        spark = builder.getOrCreate();
        spark.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                LOST.addAndGet(end.reason() instanceof ExecutorLostFailure ? 1 : 0);
                SUCCEEDED.addAndGet(end.taskInfo().successful() ? 1 : 0);
            }
        });
    }

    @AfterAll
    static void stop() throws Exception {
        spark.close();
    }

    @BeforeEach
    void forget() throws Exception {
        spark.sparkContext().listenerBus().waitUntilEmpty();
        LOST.set(0);
        SUCCEEDED.set(0);
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Test
    void givesTheSameBitsAfterAnExecutorWasKilledWithinATask() throws Exception {
        Graph graph = Graphs.random(400, 8, 11);
        Detector detector = Graphs.detector(graph, "res-gcn");
        SparkScoring.Options options = SparkScoring.Options.defaults().withBlocks(4);
        Dataset<Row> nodes = Graphs.nodes(spark, graph);
        Dataset<Row> edges = Graphs.edges(spark, graph);
        Dataset<Row> undisturbed = SparkScoring.score(detector, nodes, edges, options);
        Graphs.assertSame(undisturbed, detector, graph, Decisions.Wishes.NONE);
        List<Row> expected = undisturbed.orderBy("node").collectAsList();

        Dataset<Row> disturbed = SparkScoring.score(detector, nodes, edges, options, killingAfter(1));
        assertThat(disturbed.orderBy("node").collectAsList()).isEqualTo(expected);
        assertLost();
    }

    /** The task after this round is stopped, and its executor is killed. */
    private static ModelPass.Listener killingAfter(int last) {
        return (round, rounds, seconds) -> {
            if (round == last) {
                StoppedTask.arm(folder);
                new Thread(() -> StoppedTask.killWhenStopped(folder)).start();
            }
        };
    }

    private static void assertLost() throws Exception {
        spark.sparkContext().listenerBus().waitUntilEmpty();
        assertThat(LOST).hasPositiveValue();
    }

    @Test
    void shardsGiveTheSameBitsAfterAnExecutorWasKilled() throws Exception {
        Graph graph = Graphs.random(200, 6, 12);
        Detector detector = Graphs.detector(graph, "gcn", "jlde", "jlde-kde");
        SparkScoring.Options options =
                SparkScoring.Options.defaults().withBlocks(3).withShards(3);
        Dataset<Row> nodes = Graphs.nodes(spark, graph);
        Dataset<Row> edges = Graphs.edges(spark, graph);
        List<Row> expected = SparkScoring.score(detector, nodes, edges, options)
                .orderBy("node")
                .collectAsList();
        Dataset<Row> disturbed = SparkScoring.score(detector, nodes, edges, options, killingAfter(2));
        assertThat(disturbed.orderBy("node").collectAsList()).isEqualTo(expected);
        assertLost();
    }

    @Test
    void trainingGivesTheSameWeightsAfterAnExecutorWasKilled() throws Exception {
        Graph graph = Graphs.random(200, 3, 13);
        Dataset<Row> nodes = Graphs.nodes(spark, graph)
                .selectExpr(
                        "id",
                        "features[0] AS x",
                        "features[1] AS y",
                        "features[2] AS z",
                        "concat('kind ', cast(substring(id, 6) AS int) % 3) AS kind");
        Dataset<Row> edges = Graphs.edges(spark, graph);
        SparkTraining.Options options = SparkTraining.Options.defaults()
                .withLayout(TableLayout.defaults().with().label("kind").build())
                .withSplit("50/30/20:1")
                .withDetector(DetectorOptions.defaults()
                        .withArchitecture("fsgnn")
                        .withModel(ModelOptions.of(8, 2, 0.2, 1)
                                .in(Architectures.named("fsgnn").options(), Map.of("hops", "2")))
                        .withTraining(TrainingOptions.of(0.02, 0, 4, 4, 3).with(TrainingOptions.BATCH_NODES, 32))
                        .withEstimators("jlde"))
                .withBlocks(3);
        Detector expected = SparkTraining.train(nodes, edges, options);
        Detector disturbed = SparkTraining.train(nodes, edges, options, killingAfter(1), TrainingListener.NONE);
        assertLost();
        expected.model().parameters().forEach((name, array) -> assertThat(
                        ((NdArray.Floats) disturbed.model().parameters().get(name)).values())
                .as(name)
                .isEqualTo(((NdArray.Floats) array).values()));
        assertThat(disturbed.calibration()).usingRecursiveComparison().isEqualTo(expected.calibration());
    }

    @Test
    void aStudyRunsOnlyTheGroupAgainThatWasUnderWay() throws Exception {
        Path file = Files.writeString(folder.resolve("study.yaml"), SparkStudyTest.YAML);
        StoppedTask.arm(folder);
        Thread killer = new Thread(() -> StoppedTask.killWhenStopped(folder));
        killer.start();
        AtomicInteger groups = new AtomicInteger();
        new SparkStudy(file.toString(), folder.toString())
                .run(
                        folder.resolve("results"),
                        JavaSparkContext.fromSparkContext(spark.sparkContext()),
                        (done, all, share) -> groups.set(all));
        killer.join();
        assertLost();
        assertThat(SUCCEEDED).hasValue(groups.get());
        assertThat(SparkStudyTest.found(folder.resolve("results")))
                .isEqualTo(SparkStudyTest.foundLocally(file, folder.resolve("local")));
    }
}
