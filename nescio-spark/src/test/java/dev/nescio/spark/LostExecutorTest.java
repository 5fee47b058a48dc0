// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** A cluster of real processes, one of which dies in the middle. */
class LostExecutorTest {

    private static SparkSession cluster() {
        return SparkSession.builder()
                .master("local-cluster[2,1,1024]")
                .appName("tests")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.executor.memory", "700m")
                .config("spark.executor.extraClassPath", classPath())
                .config("spark.executorEnv.OMP_NUM_THREADS", "1")
                .config("spark.executorEnv.OPENBLAS_NUM_THREADS", "1")
                .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"))
                .getOrCreate();
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Test
    void givesTheSameBitsAfterAnExecutorWasKilled() throws Exception {
        Graph graph = Graphs.random(400, 8, 11);
        Detector detector = Graphs.detector(graph, "res-gcn");
        SparkScoring.Options options = SparkScoring.Options.defaults().withBlocks(4);
        try (SparkSession spark = cluster()) {
            Dataset<Row> nodes = Graphs.nodes(spark, graph);
            Dataset<Row> edges = Graphs.edges(spark, graph);
            Dataset<Row> undisturbed = SparkScoring.score(detector, nodes, edges, options);
            Graphs.assertSame(undisturbed, detector, graph, Decisions.Wishes.NONE);
            List<Row> expected = undisturbed.orderBy("node").collectAsList();

            AtomicInteger killed = new AtomicInteger();
            Dataset<Row> disturbed = SparkScoring.score(detector, nodes, edges, options, (round, rounds, seconds) -> {
                if (round == 1) {
                    killed.addAndGet(killOne(spark));
                }
            });
            assertThat(disturbed.orderBy("node").collectAsList()).isEqualTo(expected);
            assertThat(killed).hasValue(1);
        }
    }

    /** Ends the process of one executor, which keeps blocks of the round that has just been computed. */
    private static int killOne(SparkSession spark) {
        Set<Long> processes = new TreeSet<>(JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(List.of(1, 2, 3, 4, 5, 6), 6)
                .map(i -> {
                    Thread.sleep(200);
                    return ProcessHandle.current().pid();
                })
                .collect());
        assertThat(processes).hasSize(2).doesNotContain(ProcessHandle.current().pid());
        ProcessHandle victim = ProcessHandle.of(processes.iterator().next()).orElseThrow();
        boolean isEnding = victim.destroyForcibly();
        victim.onExit().join();
        return isEnding ? 1 : 0;
    }
}
