// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The paper's graphs, where the directory {@code NESCIO_DATA} or {@code ../shared/datasets} is there. */
class PublishedGraphsTest {

    @ParameterizedTest
    @ValueSource(strings = {"squirrel", "cora_ml"})
    void scoresAsOnOneMachine(String name) throws Exception {
        String folder = System.getenv("NESCIO_DATA");
        DataFolder data = new DataFolder(folder == null ? Path.of("../../shared/datasets") : Path.of(folder));
        DataSet set = DataSets.named(name);
        assumeThat(data.find(set)).as(name + " is not in " + data.path()).isPresent();
        Graph graph = data.read(set);
        Detector detector = Graphs.detector(graph, "res-gcn", "jlde-relative");
        try (SparkSession spark = LocalSpark.start()) {
            Graphs.assertSame(
                    SparkScoring.score(
                            detector,
                            Graphs.nodes(spark, graph),
                            Graphs.edges(spark, graph),
                            SparkScoring.Options.defaults().withBlocks(4)),
                    detector,
                    graph,
                    Decisions.Wishes.NONE);
        }
    }
}
