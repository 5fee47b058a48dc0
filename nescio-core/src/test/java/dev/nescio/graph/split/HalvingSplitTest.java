// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadInput;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HalvingSplitTest {

    private static final int[] LABELS =
            IntStream.range(0, 23).map(v -> v % 5 == 0 ? 2 : v % 3).toArray();

    static Graph graph(int[] labels, int classes) {
        Adjacency nobody =
                Adjacency.undirected(labels.length, new int[0], new int[0]).adjacency();
        return Graph.builder("labels", nobody).labels(labels, classes).build();
    }

    /** From a twin of the rule in NumPy. */
    @Test
    void isGolden() {
        Split split = new HalvingSplit().draw(graph(LABELS, 3), 0);
        assertThat(split.train().toArray()).containsExactly(1, 4, 5, 6, 8, 9, 10, 11, 20, 21, 22);
        assertThat(split.validation().toArray()).containsExactly(2, 12, 14, 16, 17, 19);
        assertThat(split.test().toArray()).containsExactly(0, 3, 7, 13, 15, 18);

        Split other = new HalvingSplit().draw(graph(LABELS, 3), 7);
        assertThat(other.train().toArray()).containsExactly(2, 3, 5, 8, 11, 12, 13, 16, 19, 20, 21);
        assertThat(other.validation().toArray()).containsExactly(6, 7, 9, 10, 14, 22);
        assertThat(other.test().toArray()).containsExactly(0, 1, 4, 15, 17, 18);
    }

    @Test
    void everyNodeNeedsALabel() {
        assertThatThrownBy(() -> new HalvingSplit().draw(graph(new int[] {0, 1, -1, 1}, 2), 0))
                .isInstanceOf(BadInput.class)
                .hasMessage(
                        "split 'halving:0' needs the label of every node, but node 2 has none; stratified:0 splits the labelled nodes");
    }
}
