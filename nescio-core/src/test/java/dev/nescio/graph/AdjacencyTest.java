// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadInput;
import org.junit.jupiter.api.Test;

class AdjacencyTest {

    @Test
    void symmetrisesAndSaysWhatWasDropped() {
        Adjacency.Built built = Adjacency.undirected(4, new int[] {0, 1, 0, 2, 2}, new int[] {1, 0, 1, 2, 1});

        assertThat(built.notes()).isEqualTo(new Adjacency.Notes(1, 1, 1, true));
        assertThat(built.adjacency().pointers()).containsExactly(0, 1, 3, 4, 4);
        assertThat(built.adjacency().neighbours()).containsExactly(1, 0, 2, 1);
        assertThat(built.adjacency().isSymmetric()).isTrue();
        assertThat(built.notes().describe())
                .isEqualTo("1 self-loops and 1 duplicate edges dropped, 1 listed both ways, edges symmetrised");
    }

    @Test
    void directedEdgesStandInTheRowOfTheReceiver() {
        Adjacency adjacency =
                Adjacency.directed(3, new int[] {0, 2}, new int[] {1, 1}).adjacency();

        assertThat(adjacency.pointers()).containsExactly(0, 0, 2, 2);
        assertThat(adjacency.neighbours()).containsExactly(0, 2);
        assertThat(adjacency.isSymmetric()).isFalse();
    }

    @Test
    void symmetricInputIsNotCalledSymmetrised() {
        assertThat(Adjacency.undirected(2, new int[] {0, 1}, new int[] {1, 0}).notes())
                .isEqualTo(new Adjacency.Notes(0, 0, 1, false));
    }

    @Test
    void rejectsEdgeToUnknownNode() {
        assertThatThrownBy(() -> Adjacency.undirected(3, new int[] {0, 1}, new int[] {1, 3}))
                .isInstanceOf(BadInput.class)
                .hasMessage("edge 1 joins node 1 and node 3, but node numbers go from 0 to 2");
    }

    @Test
    void countsComponentsAndIsolatedNodes() {
        Adjacency adjacency =
                Adjacency.directed(6, new int[] {0, 2, 3}, new int[] {1, 3, 2}).adjacency();

        assertThat(adjacency.components()).isEqualTo(4);
        assertThat(adjacency.isolatedNodes()).isEqualTo(2);
    }
}
