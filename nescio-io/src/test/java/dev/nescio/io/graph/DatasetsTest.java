// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Homophily;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paper's graphs, where the directory {@code NESCIO_DATA} or {@code ../shared/datasets} is there. */
public class DatasetsTest {

    private static Path dataset(String file) {
        String folder = System.getenv("NESCIO_DATA");
        Path root = folder == null ? Path.of("../../shared/datasets") : Path.of(folder);
        assumeTrue(Files.exists(root.resolve(file)), () -> "skipped: " + file + " is not in " + root);
        return root.resolve(file);
    }

    /** Table of the paper; Amazon Ratings is the cut file, whose edges are fewer. */
    @ParameterizedTest
    @CsvSource({
        "cora_ml/cora_ml.npz, 2995, 16316, 2879, 7, 0.79, 0.81, 0.74, 0.75",
        "chameleon_filtered/chameleon_filtered.npz, 890, 17708, 2325, 5, 0.24, 0.24, 0.04, 0.03",
        "squirrel_filtered/squirrel_filtered.npz, 2223, 93996, 2089, 5, 0.21, 0.19, 0.04, 0.01",
        "pubmed/pubmed_plain.npz, 19717, 88648, 500, 3, 0.80, 0.79, 0.66, 0.69",
        "amazon_ratings/amazon_ratings_cut.npz, 24492, 183808, 300, 5, 0.38, 0.38, 0.13, 0.14"
    })
    void statisticsAreThoseOfThePaper(
            String file,
            int nodes,
            int edges,
            int features,
            int classes,
            double edge,
            double node,
            double byClass,
            double adjusted) {
        Graph graph = GraphFile.read(dataset(file));
        Homophily homophily = Homophily.of(graph);

        assertThat(graph.nodes()).isEqualTo(nodes);
        assertThat(graph.adjacency().edges()).isEqualTo(edges);
        assertThat(graph.features().columns()).isEqualTo(features);
        assertThat(graph.classes()).hasSize(classes);
        assertThat(homophily.edge()).isCloseTo(edge, within(0.005));
        assertThat(homophily.node()).isCloseTo(node, within(0.005));
        assertThat(homophily.classInsensitive()).isCloseTo(byClass, within(0.005));
        assertThat(homophily.adjusted()).isCloseTo(adjusted, within(0.005));
    }

    @Test
    void compatibilityOfChameleonIsTheKnownOne() {
        double[][] rows = Homophily.of(GraphFile.read(dataset("chameleon_filtered/chameleon_filtered.npz")))
                .compatibility();
        double[][] known = {
            {.24, .21, .18, .13, .25},
            {.23, .16, .23, .17, .20},
            {.11, .13, .27, .23, .27},
            {.09, .11, .27, .23, .30},
            {.14, .11, .26, .24, .25}
        };
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                assertThat(rows[i][j]).isCloseTo(known[i][j], within(0.0051));
            }
        }
    }

    @Test
    void idsOfCoraGoThrough() {
        Graph graph = GraphFile.read(dataset("cora_ml/cora_ml.npz"));

        assertThat(graph.ids().name(0)).isNotEqualTo("0").doesNotContainAnyWhitespaces();
        assertThat(graph.ids().find(graph.ids().name(17))).hasValue(17);
        assertThat(graph.adjacency().components()).isEqualTo(61);
    }
}
