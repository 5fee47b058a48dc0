// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.model.Architecture;
import dev.nescio.model.network.Architectures;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Larger graphs: a generated one, and those of the paper where the directory {@code NESCIO_DATA} or {@code ../shared/datasets} is there.
 * With {@code -Dnescio.equality=all} every model is tried on each with several estimators, and the largest difference of each is printed.
 * It is twice as large as elsewhere at most: a distance of a thousandth between states is the difference of numbers that are rounded.
 */
class EqualityTest {

    private static final boolean ALL = "all".equals(System.getProperty("nescio.equality"));

    @Test
    void aGeneratedGraphOfManyNodesScoresAsOnOneMachine() throws Exception {
        Graph numbered = BuiltinGraphs.make("blocks?nodes=100000&features=8&degree=5");
        List<String> names =
                IntStream.range(0, numbered.nodes()).mapToObj(v -> "node " + v).toList();
        compare(numbered.with().ids(NodeIds.named(names)).build(), "2/2/96:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"squirrel", "cora_ml"})
    void aPublishedGraphScoresAsOnOneMachine(String name) throws Exception {
        String folder = System.getenv("NESCIO_DATA");
        DataFolder data = new DataFolder(folder == null ? Path.of("../../shared/datasets") : Path.of(folder));
        DataSet set = DataSets.named(name);
        assumeThat(data.find(set)).as(name + " is not in " + data.path()).isPresent();
        compare(data.read(set), "50/30/20:1");
    }

    private static void compare(Graph graph, String split) throws Exception {
        List<String> models =
                ALL ? Architectures.all().stream().map(Architecture::name).toList() : List.of("res-gcn");
        try (SparkSession spark = LocalSpark.start()) {
            Dataset<Row> nodes = Graphs.nodes(spark, graph);
            Dataset<Row> edges = Graphs.edges(spark, graph);
            Map<String, Double> differences = new TreeMap<>();
            for (String model : models) {
                String[] estimators =
                        ALL ? new String[] {"jlde-relative", "jlde", "ebm"} : new String[] {"jlde-relative"};
                Detector detector = Graphs.detector(graph, split, model, estimators);
                Graphs.Difference largest = Graphs.difference(
                        SparkScoring.score(
                                detector,
                                nodes,
                                edges,
                                SparkScoring.Options.defaults().withBlocks(4)),
                        detector,
                        graph,
                        Decisions.Wishes.NONE);
                System.out.printf(
                        Locale.ROOT,
                        "equality of %s with %s: %.1e %s%n",
                        graph.name(),
                        model,
                        largest.relative(),
                        largest);
                differences.put(model, largest.relative());
            }
            assertThat(differences)
                    .allSatisfy((model, difference) -> assertThat(difference).isLessThanOrEqualTo(ALL ? 2e-5 : 1e-5));
        }
    }
}
