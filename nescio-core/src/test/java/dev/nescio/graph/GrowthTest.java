// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Rng;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthTest {

    private static Graph graph(boolean sparse) {
        DenseMatrix features = DenseMatrix.of(new float[][] {{1, 0}, {0, 2}, {3, 4}});
        return Graph.builder(
                        "three",
                        Adjacency.undirected(3, new int[] {0, 1}, new int[] {1, 2})
                                .adjacency())
                .features(sparse ? features.toSparse() : features)
                .labels(new int[] {0, 1, 0}, List.of("a", "b"))
                .ids(NodeIds.named(List.of("x", "y", "z")))
                .build();
    }

    @Test
    void newNodesFollowTheOldOnes() {
        for (boolean sparse : new boolean[] {false, true}) {
            Growth growth = new Growth(graph(sparse))
                    .node("new", 0, 7)
                    .edge("new", "x")
                    .edge("z", "x")
                    .edge("x", "y");
            Graph grown = growth.build();

            assertThat(growth.nodes().toArray()).containsExactly(3);
            assertThat(grown.ids().name(3)).isEqualTo("new");
            assertThat(grown.ids().find("new")).hasValue(3);
            assertThat(grown.label(3)).isEqualTo(Graph.UNLABELLED);
            assertThat(grown.features().get(3, 1)).isEqualTo(7);
            assertThat(grown.features().get(2, 0)).isEqualTo(3);
            assertThat(grown.features()).isInstanceOf(sparse ? SparseMatrix.class : DenseMatrix.class);
            assertThat(grown.adjacency().pointers()).containsExactly(0, 3, 5, 7, 8);
            assertThat(grown.adjacency().neighbours()).containsExactly(1, 2, 3, 0, 2, 0, 1, 0);
        }
    }

    @Test
    void growingEqualsBuildingAtOnce() {
        Rng rng = new Rng(3);
        for (int round = 0; round < 50; round++) {
            int old = 1 + rng.nextInt(20);
            int more = rng.nextInt(10);
            boolean directed = rng.nextInt(2) == 0;
            int[][] first = edges(rng, old);
            int[][] second = edges(rng, old + more);
            Adjacency begun = directed
                    ? Adjacency.directed(old, first[0], first[1]).adjacency()
                    : Adjacency.undirected(old, first[0], first[1]).adjacency();
            int[] from = both(first[0], second[0]);
            int[] to = both(first[1], second[1]);
            Adjacency expected = (directed
                            ? Adjacency.directed(old + more, from, to)
                            : Adjacency.undirected(old + more, from, to))
                    .adjacency();

            Adjacency grown = begun.grown(more, second[0], second[1], directed);
            assertThat(grown.pointers()).isEqualTo(expected.pointers());
            assertThat(grown.neighbours()).isEqualTo(expected.neighbours());
        }
    }

    private static int[][] edges(Rng rng, int nodes) {
        int[][] edges = new int[2][rng.nextInt(40)];
        for (int e = 0; e < edges[0].length; e++) {
            edges[0][e] = rng.nextInt(nodes);
            edges[1][e] = rng.nextInt(nodes);
        }
        return edges;
    }

    private static int[] both(int[] a, int[] b) {
        int[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> new Growth(graph(false)).node("n", 1))
                .isInstanceOf(BadInput.class)
                .hasMessage("node 'n' has 1 features, but the nodes of three have 2");
        assertThatThrownBy(() -> new Growth(graph(false)).node("x", 1, 2).build())
                .isInstanceOf(BadInput.class)
                .hasMessage("node id 'x' already exists");
        assertThatThrownBy(() -> new Growth(graph(false)).edge("x", "nobody").build())
                .isInstanceOf(BadInput.class)
                .hasMessage("an edge names node 'nobody', which does not exist");
    }

    @Test
    void anEdgeCanBeTakenAway() {
        Adjacency path = Adjacency.undirected(4, new int[] {0, 1, 2}, new int[] {1, 2, 3})
                .adjacency();

        Adjacency cut = path.without(2, 1);
        assertThat(cut.pointers()).containsExactly(0, 1, 2, 3, 4);
        assertThat(cut.neighbours()).containsExactly(1, 0, 3, 2);
        assertThat(path.without(0, 3)).isSameAs(path);
        Adjacency oneWay =
                Adjacency.directed(3, new int[] {0, 1}, new int[] {1, 2}).adjacency();
        assertThat(oneWay.without(1, 0).pointers()).containsExactly(0, 0, 0, 1);
        assertThat(oneWay.without(1, 0).neighbours()).containsExactly(1);
    }
}
