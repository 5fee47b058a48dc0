// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelTableTest {

    private static final Graph GRAPH = Graph.builder(
                    "four",
                    Adjacency.undirected(4, new int[] {0}, new int[] {1}).adjacency())
            .features(DenseMatrix.of(new float[][] {{1}, {2}, {3}, {4}}))
            .labels(new int[] {0, 1, Graph.UNLABELLED, 0}, List.of("good", "bad"))
            .ids(NodeIds.named(List.of("a", "b", "c", "d")))
            .build();

    @TempDir
    Path folder;

    private LabelTable table(String text) throws IOException {
        return LabelTable.read(Files.writeString(folder.resolve("labels.csv"), text));
    }

    @Test
    void standInPlaceOfOthersAndMayNameNewClasses() throws IOException {
        LabelTable table = table("id,label\nc,odd\nd,bad\nelsewhere,bad\na,\n");
        Graph labelled = table.on(GRAPH);
        assertThat(labelled.classes()).containsExactly("good", "bad", "odd");
        assertThat(labelled.labels()).containsExactly(0, 1, 2, 1);
        assertThat(table.size()).isEqualTo(3);
        assertThat(table.known(GRAPH)).isEqualTo(2);
    }

    @Test
    void theirNodesAreLearnedFrom() throws IOException {
        Split split = new Split("s", NodeSet.of(0), NodeSet.of(1), NodeSet.of(3));
        Split after = table("node,class\nc,good\nd,bad\n").on(GRAPH, split);
        assertThat(after.train()).isEqualTo(NodeSet.of(0, 2, 3));
        assertThat(after.validation()).isEqualTo(NodeSet.of(1));
        assertThat(after.test()).isEqualTo(NodeSet.of());
    }

    @Test
    void refusesWhatCannotBeMeant() {
        assertThatThrownBy(() -> table("id,label\na,good\na,bad\n"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("line 3")
                .hasMessageContaining("'good'");
        assertThatThrownBy(() -> table("id,label\na,\n")).hasMessageContaining("no labels");
        assertThatThrownBy(() -> table("id,verdict\na,good\n")).hasMessageContaining("verdict");
        assertThatThrownBy(() -> table("id,label\nx,good\n").on(GRAPH))
                .hasMessageContaining("none of these nodes; the first is 'x'");
    }
}
