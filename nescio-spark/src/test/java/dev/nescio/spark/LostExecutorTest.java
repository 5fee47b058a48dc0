// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes, one of which dies while a task of a round runs in it, with all blocks of earlier rounds that it keeps. */
class LostExecutorTest {

    @TempDir
    Path folder;

    private SparkSession cluster() {
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
        return builder.getOrCreate();
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Test
    void givesTheSameBitsAfterAnExecutorWasKilledWithinATask() throws Exception {
        Graph graph = Graphs.random(400, 8, 11);
        Detector detector = Graphs.detector(graph, "res-gcn");
        SparkScoring.Options options = SparkScoring.Options.defaults().withBlocks(4);
        try (SparkSession spark = cluster()) {
            Dataset<Row> nodes = Graphs.nodes(spark, graph);
            Dataset<Row> edges = Graphs.edges(spark, graph);
            Dataset<Row> undisturbed = SparkScoring.score(detector, nodes, edges, options);
            Graphs.assertSame(undisturbed, detector, graph, Decisions.Wishes.NONE);
            List<Row> expected = undisturbed.orderBy("node").collectAsList();

            AtomicInteger lost = new AtomicInteger();
            spark.sparkContext().addSparkListener(new SparkListener() {
                @Override
                public void onTaskEnd(SparkListenerTaskEnd end) {
                    lost.addAndGet(end.reason() instanceof ExecutorLostFailure ? 1 : 0);
                }
            });
            Thread killer = new Thread(() -> StoppedTask.killWhenStopped(folder));
            Dataset<Row> disturbed = SparkScoring.score(detector, nodes, edges, options, (round, rounds, seconds) -> {
                if (round == 1) {
                    StoppedTask.arm(folder);
                    killer.start();
                }
            });
            assertThat(disturbed.orderBy("node").collectAsList()).isEqualTo(expected);
            killer.join();
            spark.sparkContext().listenerBus().waitUntilEmpty();
            assertThat(lost).hasPositiveValue();
        }
    }
}
