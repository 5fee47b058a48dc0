// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.generate.BuiltinGraphs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is given by its columns has the features that a table would have given it. */
class RowFeaturesTest {

    @TempDir
    Path folder;

    private Graph graph;
    private TableSchema schema;
    private final List<Map<String, Object>> rows = new ArrayList<>();

    @BeforeEach
    void read() throws IOException {
        StringBuilder nodes = new StringBuilder("id,alter,betrag,land,aktiv,vektor,label\n");
        for (int i = 0; i < 80; i++) {
            Map<String, Object> row = new HashMap<>();
            row.put("alter", i % 9 == 0 ? null : 20 + i % 50);
            row.put("betrag", Math.exp(i / 6.0));
            row.put("land", i % 7 == 0 ? null : i % 2 == 0 ? "CH" : "Österreich");
            row.put("aktiv", i % 3 == 0);
            row.put("vektor", List.of(i, -0.5 * i));
            rows.add(row);
            nodes.append(String.join(
                    ",",
                    "n" + i,
                    Objects.toString(row.get("alter"), ""),
                    row.get("betrag").toString(),
                    Objects.toString(row.get("land"), ""),
                    i % 3 == 0 ? "True" : "False",
                    "\"" + i + " " + -0.5 * i + "\"",
                    i % 2 == 0 ? "a" : "b\n"));
            nodes.append(i % 2 == 0 ? "\n" : "");
        }
        Files.writeString(folder.resolve("nodes.csv"), nodes);
        Files.writeString(folder.resolve("edges.csv"), "source,target\nn0,n1\nn1,n2\n");
        graph = TableGraph.read(folder.resolve("nodes.csv"), folder.resolve("edges.csv"));
        schema = Objects.requireNonNull(graph.schema());
    }

    @Test
    void areThoseOfTheTable() {
        assertThat(schema.columns().get(1).numbers().get(0).longTail()).isTrue();
        for (int i = 0; i < rows.size(); i++) {
            float[] expected = new float[graph.features().columns()];
            for (int f = 0; f < expected.length; f++) {
                expected[f] = graph.features().get(i, f);
            }
            assertThat(schema.features(rows.get(i))).as("row %d", i).containsExactly(expected);
        }
    }

    @Test
    void makeANewNode() {
        Graph grown = new Growth(graph)
                .node("neu", rows.get(5))
                .node("ohne", Map.of())
                .edge("neu", "n3")
                .build();

        assertThat(grown.nodes()).isEqualTo(82);
        for (int f = 0; f < grown.features().columns(); f++) {
            assertThat(grown.features().get(80, f)).isEqualTo(graph.features().get(5, f));
        }
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> new Growth(graph).node("x", Map.of("altar", 3)))
                .hasMessageStartingWith("node 'x': there is no column 'altar'; did you mean 'alter'?");
        assertThatThrownBy(() -> new Growth(graph).node("x", Map.of("alter", "drei")))
                .hasMessage("node 'x': column 'alter' takes numbers, got 'drei'");
        assertThatThrownBy(() -> new Growth(graph).node("x", Map.of("vektor", List.of(1))))
                .hasMessage("node 'x': column 'vektor' takes 2 numbers, got 1");
        assertThatThrownBy(() -> new Growth(graph).node("x", Map.of("alter", Double.POSITIVE_INFINITY)))
                .hasMessageContaining("column 'alter' is Infinity");
        assertThatThrownBy(() -> new Growth(BuiltinGraphs.make("moons")).node("x", Map.of()))
                .hasMessageContaining("did not come from tables");
        Graph strict = TableGraph.read(
                folder.resolve("nodes.csv"),
                folder.resolve("edges.csv"),
                TableLayout.defaults()
                        .with()
                        .missing(TableLayout.Missing.REFUSE)
                        .ignored(List.of("alter"))
                        .build());
        assertThatThrownBy(() -> new Growth(strict).node("x", Map.of("land", "CH")))
                .hasMessageContaining("column 'betrag' is missing");
    }
}
