// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownNodesTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=60");

    @Test
    void everyNodeOfTheTrainingGraphHasOneRole() {
        Split split = new Split("s", NodeSet.of(0, 1), NodeSet.of(2, 3, 4), NodeSet.of(5));
        KnownNodes known = KnownNodes.of(graph, split, NodeSet.of(3, 4));

        assertThat(known.training()).containsExactly("0", "1");
        assertThat(known.choosing()).containsExactly("2");
        assertThat(known.heldOut()).containsExactly("3", "4");
        assertThat(known.others()).hasSize(55).contains("5", "59").doesNotContain("0", "2", "3");
        assertThat(known.newIn(graph).isEmpty()).isTrue();
    }

    /** Each of the four roles makes a node known, and nothing else does. */
    @Test
    void newNodesAreThoseWithoutARole() {
        Growth growth =
                new Growth(graph).node("fresh", new float[graph.features().columns()]);

        assertThat(new KnownNodes(List.of("7"), List.of(), List.of(), List.of())
                        .newIn(graph)
                        .contains(7))
                .isFalse();
        assertThat(new KnownNodes(List.of(), List.of("7"), List.of(), List.of())
                        .newIn(graph)
                        .contains(7))
                .isFalse();
        assertThat(new KnownNodes(List.of(), List.of(), List.of("7"), List.of())
                        .newIn(graph)
                        .contains(7))
                .isFalse();
        KnownNodes others = new KnownNodes(List.of(), List.of(), List.of(), List.of("7"));
        assertThat(others.newIn(graph).contains(7)).isFalse();
        assertThat(others.newIn(graph).size()).isEqualTo(59);
        Split split = graph.split("0");
        assertThat(KnownNodes.of(graph, split, split.validation()).newIn(growth.build()))
                .isEqualTo(growth.nodes());
    }
}
