// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.generate.BuiltinGraphs;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdditionsTest {

    private static final TableSchema.Column AGE =
            TableSchema.Column.numbers("age", List.of(new TableSchema.Scale(0, 1, 0), new TableSchema.Scale(0, 1, 0)));
    private static final TableSchema.Column COLOUR = TableSchema.Column.category("colour", List.of("red", "green"));

    private static List<String> notes(Object... colours) {
        Graph graph = BuiltinGraphs.make("blocks?nodes=50&features=4")
                .with()
                .schema(new TableSchema("id", "label", "from", "to", false, List.of(AGE, COLOUR)))
                .build();
        List<Change.NewNode> nodes = Stream.of(colours)
                .map(colour ->
                        new Change.NewNode("new " + colour, Map.of("age", List.of(1, 2), "colour", colour), null))
                .toList();
        Change.Keep keep = new Change.Keep(nodes, List.of());
        return Additions.notes(Additions.grown(Overlay.on(graph), keep), keep);
    }

    /** The network sees no colour at all, where somebody has named one. */
    @Test
    void categoriesThatTrainingHasNotSeenAreNoted() {
        assertThat(notes("violet", 3, "red"))
                .contains("column 'colour': 2 values are none of the 2 known ones: 'violet', …");
        assertThat(notes("red", "green")).noneMatch(note -> note.contains("colour"));
    }
}
