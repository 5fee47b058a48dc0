// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.graph.GraphLocation;
import dev.nescio.io.graph.TableFiles;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every place in the registry promises, and which one a user means. */
class GraphLocationsTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("dev.nescio.io.location.GraphLocations#all")
    void saysWhatItIs(GraphLocation location) {
        assertThat(location.form()).isNotBlank();
        assertThat(location.summary()).isNotBlank().doesNotEndWith(".");
        assertThat(GraphLocations.all().stream().map(GraphLocation::form)).doesNotHaveDuplicates();
    }

    @Test
    void whatIsNotThereIsNamed() {
        String nowhere = folder.resolve("nothing").toString();

        assertThatThrownBy(() -> GraphLocations.read(GraphLocation.Request.of(nowhere)))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(nowhere);
    }

    @ParameterizedTest
    @CsvSource({
        "builtin:blocks, BuiltinGraph",
        "data:cora_ml, CatalogueGraph",
        "nodes.csv, NodesAndEdges",
        "nodes.tsv.gz, NodesAndEdges",
        "nodes.parquet, NodesAndEdges",
        "graph.graphml, GraphMl",
        "cora_ml.npz, NpzGraph"
    })
    void goesByTheNameOfThePlace(String place, String expected) {
        assertThat(GraphLocations.of(GraphLocation.Request.of(place)).getClass().getSimpleName())
                .isEqualTo(expected);
    }

    @Test
    void aFolderOfTablesIsReadAndATableAloneIsNot() {
        Graph graph = BuiltinGraphs.make("blocks?nodes=50");
        TableFiles.write(graph, folder);

        assertThat(GraphLocations.read(GraphLocation.Request.of(folder.toString()))
                        .nodes())
                .isEqualTo(50);
        String nodes = folder.resolve("nodes.csv").toString();
        assertThatThrownBy(() -> GraphLocations.read(GraphLocation.Request.of(nodes)))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(nodes + " is a table of nodes; --edges must name the table of their edges");
    }
}
