// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphTest {

    private static Graph.Builder pair() {
        return Graph.builder(
                        "pair",
                        Adjacency.undirected(2, new int[] {0}, new int[] {1}).adjacency())
                .features(DenseMatrix.of(new float[][] {{1, 2}, {3, 4}}))
                .labels(new int[] {0, 1}, List.of("a", "b"));
    }

    @Test
    void keepsNodeIds() {
        Graph graph = pair().ids(NodeIds.named(List.of("x", "y"))).build();

        assertThat(graph.ids().name(1)).isEqualTo("y");
        assertThat(graph.ids().find("y")).hasValue(1);
        assertThat(graph.ids().find("z")).isEmpty();
    }

    @Test
    void numbersServeAsIds() {
        assertThat(pair().build().ids().find("1")).hasValue(1);
        assertThat(pair().build().ids().find("2")).isEmpty();
        assertThat(pair().build().ids().find("x")).isEmpty();
    }

    @Test
    void rejectsAnIdThatIsUsedTwice() {
        assertThatThrownBy(() -> NodeIds.named(List.of("x", "y", "x")))
                .isInstanceOf(BadInput.class)
                .hasMessage("node id 'x' is used twice, by node 0 and node 2");
    }

    @Test
    void rejectsFeaturesThatAreNotFinite() {
        assertThatThrownBy(() -> pair().features(DenseMatrix.of(new float[][] {{1, 2}, {Float.NaN, 4}}))
                        .build())
                .isInstanceOf(BadInput.class)
                .hasMessage("pair: feature 0 of node 1 is NaN, but features must be finite");
    }

    @Test
    void rejectsSparseFeaturesThatAreNotFinite() {
        assertThatThrownBy(() -> pair().features(DenseMatrix.of(new float[][] {{0, 0}, {0, Float.NEGATIVE_INFINITY}})
                                .toSparse())
                        .build())
                .hasMessage("pair: feature 1 of node 1 is -Infinity, but features must be finite");
    }

    @Test
    void rejectsLabelsOutOfRange() {
        assertThatThrownBy(
                        () -> pair().labels(new int[] {0, 2}, List.of("a", "b")).build())
                .hasMessage("pair: node 1 has label 2, but labels go from 0 to 1 (-1 = unknown)");
    }

    @Test
    void rejectsAClassNameThatIsUsedTwice() {
        assertThatThrownBy(
                        () -> pair().labels(new int[] {0, 1}, List.of("a", "a")).build())
                .hasMessage("pair: a class name is used twice among a, a");
    }

    @Test
    void rejectsWrongSizes() {
        assertThatThrownBy(() ->
                        pair().features(DenseMatrix.of(1, 1, new float[1])).build())
                .hasMessage("pair: there are 2 nodes, but 1 feature rows");
    }

    @Test
    void rejectsSplitsThatNameUnknownNodes() {
        Split split = new Split("s", NodeSet.of(0), NodeSet.of(1), NodeSet.of(7));

        assertThatThrownBy(() -> pair().split(split).build())
                .hasMessage("pair: split 's' names node 7, but node numbers go from 0 to 1");
    }

    @Test
    void rejectsSplitsThatOverlap() {
        assertThatThrownBy(() -> new Split("s", NodeSet.of(0, 1), NodeSet.of(1), NodeSet.of()))
                .isInstanceOf(BadInput.class)
                .hasMessage("split 's': a node is in more than one of training, validation and test");
    }

    @Test
    void saysWhichSplitsThereAre() {
        Graph graph = pair().split(new Split("0", NodeSet.of(0), NodeSet.of(1), NodeSet.of()))
                .build();

        assertThatThrownBy(() -> graph.split("1"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("pair has no split '1'; it has 0");
    }

    @Test
    void fingerprintSeesEveryPart() {
        String original = Fingerprint.of(pair().build());

        assertThat(Fingerprint.of(pair().build())).isEqualTo(original).hasSize(64);
        assertThat(Fingerprint.of(pair().build().withoutEdges())).isNotEqualTo(original);
        assertThat(Fingerprint.of(
                        pair().labels(new int[] {1, 1}, List.of("a", "b")).build()))
                .isNotEqualTo(original);
        assertThat(Fingerprint.of(pair().features(DenseMatrix.of(new float[][] {{1, 2}, {3, 5}}))
                        .build()))
                .isNotEqualTo(original);
    }

    @Test
    void preprocessingBinarisesAndNormalisesDenseAndSparseAlike() {
        Graph dense = pair().features(DenseMatrix.of(new float[][] {{0.5f, 2}, {0, 0}}))
                .build();
        Graph sparse = dense.with()
                .features(((DenseMatrix) dense.features()).toSparse())
                .build();
        Preprocessing preprocessing = Preprocessing.of(true, Preprocessing.RowNorm.L1);

        for (Graph graph : List.of(dense, sparse)) {
            Graph done = preprocessing.apply(graph);
            assertThat(done.features().get(0, 0)).isEqualTo(0.5f);
            assertThat(done.features().get(0, 1)).isEqualTo(0.5f);
            assertThat(done.features().get(1, 1)).isZero();
        }
        assertThat(Preprocessing.of(false, Preprocessing.RowNorm.L2)
                        .apply(dense)
                        .features()
                        .get(0, 1))
                .isCloseTo((float) (2 / Math.sqrt(4.25)), within(1e-6f));
    }
}
