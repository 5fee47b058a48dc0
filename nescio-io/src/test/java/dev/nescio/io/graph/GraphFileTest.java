// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.io.array.Npy;
import dev.nescio.matrix.NdArray;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class GraphFileTest {

    @TempDir
    Path folder;

    private final Map<String, NdArray> plain = new LinkedHashMap<>(Map.of(
            "node_features", new NdArray.Floats(new int[] {3, 2}, new float[] {1, 2, 3, 4, 5, 6}),
            "node_labels", NdArray.of(0, 1, 1),
            "edges", new NdArray.Ints(new int[] {2, 2}, new int[] {0, 1, 1, 2}),
            "train_masks", mask(true, false, false),
            "val_masks", mask(false, true, false),
            "test_masks", mask(false, false, true)));

    private static NdArray mask(boolean... values) {
        return new NdArray.Booleans(new int[] {1, values.length}, values);
    }

    private Path file() {
        Path file = folder.resolve("g.npz");
        Npy.writeAll(file, plain);
        return file;
    }

    private void assertRefused(String key, NdArray value, String message) {
        plain.put(key, value);
        Path file = file();
        assertThatThrownBy(() -> GraphFile.read(file))
                .isInstanceOf(BadInput.class)
                .hasMessage(message.replace("FILE", file.toString()));
    }

    @Test
    void readsThePlainLayout() {
        Graph graph = GraphFile.read(file());

        assertThat(graph.name()).isEqualTo("g");
        assertThat(graph.adjacency().edges()).isEqualTo(4);
        assertThat(graph.features().get(2, 1)).isEqualTo(6);
        assertThat(graph.labels()).containsExactly(0, 1, 1);
        assertThat(graph.split("0").test().toArray()).containsExactly(2);
    }

    /** What scipy.sparse.save_npz writes: a triangle with a loop, by rows and by coordinates. */
    @Test
    void readsAnAdjacencyWithoutFeatures() {
        Map<String, NdArray> byRows = new LinkedHashMap<>();
        byRows.put("indices", NdArray.of(1, 2, 2, 2));
        byRows.put("indptr", NdArray.of(0, 2, 3, 4));
        byRows.put("shape", NdArray.of(3, 3));
        byRows.put("data", new NdArray.Doubles(new int[] {4}, new double[] {1, 0.5, 2, 9}));
        Npy.writeAll(folder.resolve("rows.npz"), byRows);
        Map<String, NdArray> byPairs = new LinkedHashMap<>();
        byPairs.put("row", NdArray.of(0, 0, 1, 2));
        byPairs.put("col", NdArray.of(1, 2, 2, 2));
        byPairs.put("shape", NdArray.of(3, 3));
        Npy.writeAll(folder.resolve("pairs.npz"), byPairs);

        for (String name : List.of("rows.npz", "pairs.npz")) {
            Graph graph = GraphFile.read(folder.resolve(name));
            assertThat(graph.adjacency().edges()).isEqualTo(6);
            assertThat(graph.notes().selfLoopsDropped()).isEqualTo(1);
            assertThat(graph.features().get(1, 1)).isEqualTo((float) Math.log(3));
            assertThat(graph.classes()).isEmpty();
        }
        byPairs.put("shape", NdArray.of(3, 4));
        Npy.writeAll(folder.resolve("pairs.npz"), byPairs);
        assertThatThrownBy(() -> GraphFile.read(folder.resolve("pairs.npz")))
                .hasMessageContaining("is [3, 4], but an adjacency is square");
    }

    @Test
    void anEntryThatIsStoredAsZeroIsNoEdge() {
        Map<String, NdArray> links = new LinkedHashMap<>();
        links.put("indices", NdArray.of(1, 2));
        links.put("indptr", NdArray.of(0, 2, 2, 2));
        links.put("shape", NdArray.of(3, 3));
        links.put("data", NdArray.of(1.0, 0.0));
        Npy.writeAll(folder.resolve("zero.npz"), links);
        assertThat(GraphFile.read(folder.resolve("zero.npz")).adjacency().edges())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_matrix.", "_"})
    void readsBothSparseLayouts(String separator) {
        Map<String, NdArray> arrays = new LinkedHashMap<>();
        arrays.put("adj" + separator + "data", new NdArray.Floats(new int[] {3}, new float[] {1, 1, 1}));
        arrays.put("adj" + separator + "indices", NdArray.of(0, 1, 0));
        arrays.put("adj" + separator + "indptr", NdArray.of(0, 2, 3));
        arrays.put("adj" + separator + "shape", NdArray.of(2, 2));
        arrays.put("attr" + separator + "data", new NdArray.Floats(new int[] {1}, new float[] {0.5f}));
        arrays.put("attr" + separator + "indices", NdArray.of(4));
        arrays.put("attr" + separator + "indptr", NdArray.of(0, 0, 1));
        arrays.put("attr" + separator + "shape", NdArray.of(2, 6));
        arrays.put("labels", NdArray.of(1, 0));
        Path file = folder.resolve("s.npz");
        Npy.writeAll(file, arrays);

        Graph graph = GraphFile.read(file);

        assertThat(graph.adjacency().edges()).isEqualTo(2);
        assertThat(graph.notes().selfLoopsDropped()).isEqualTo(1);
        assertThat(graph.features()).isInstanceOf(SparseMatrix.class);
        assertThat(graph.features().get(1, 4)).isEqualTo(0.5f);
        assertThat(graph.splits()).isEmpty();
    }

    @Test
    void featuresThatAreAllZeroAreFine() {
        plain.put("node_features", new NdArray.Floats(new int[] {3, 1}, new float[3]));

        assertThat(GraphFile.read(file()).features().stored()).isZero();
    }

    @Test
    void mostlyEmptyFeaturesBecomeSparse() {
        float[] values = new float[3 * 20];
        values[7] = 1;
        plain.put("node_features", new NdArray.Floats(new int[] {3, 20}, values));

        assertThat(GraphFile.read(file()).features()).isInstanceOf(SparseMatrix.class);
    }

    @Test
    void labelsAreOptional() {
        plain.remove("node_labels");
        plain.remove("train_masks");

        assertThat(GraphFile.read(file()).labels()).containsOnly(Graph.UNLABELLED);
    }

    @Test
    void rejectsEdgeToUnknownNode() {
        assertRefused(
                "edges",
                new NdArray.Ints(new int[] {1, 2}, new int[] {0, 3}),
                "FILE: 'edges': edge 0 joins node 0 and node 3, but node numbers go from 0 to 2");
    }

    @Test
    void rejectsEdgesOfAnotherShape() {
        assertRefused(
                "edges",
                new NdArray.Ints(new int[] {1, 3}, new int[] {0, 1, 2}),
                "FILE: 'edges' has shape [1, 3], expected [edges, 2]");
    }

    @Test
    void rejectsFeaturesThatAreNotFinite() {
        plain.put("node_features", new NdArray.Floats(new int[] {3, 1}, new float[] {1, Float.POSITIVE_INFINITY, 2}));
        Path file = file();
        assertThatThrownBy(() -> GraphFile.read(file))
                .hasMessage(file + ": feature 0 of node 1 is Infinity, but features must be finite");
    }

    @Test
    void rejectsLabelsThatDoNotFit() {
        assertRefused("node_labels", NdArray.of(0, 1), "FILE: 'node_labels' has 2 labels, but there are 3 nodes");
        assertRefused(
                "node_labels", NdArray.of(0, 1, 9), "FILE: 'node_labels' holds label 9, but there are only 3 nodes");
    }

    @Test
    void rejectsNegativeLabelsBelowUnknown() {
        plain.put("node_labels", NdArray.of(0, 1, -5));
        Path file = file();
        assertThatThrownBy(() -> GraphFile.read(file))
                .hasMessage(file + ": node 2 has label -5, but labels go from 0 to 1 (-1 = unknown)");
    }

    @Test
    void rejectsMasksThatDoNotFit() {
        assertRefused(
                "val_masks",
                mask(true, false, true),
                "FILE: 'train_masks': split '0': a node is in more than one of training, validation and test");
        assertRefused("val_masks", mask(true, false), "FILE: 'val_masks' has shape [1, 2], expected [splits, 3]");
        assertRefused(
                "val_masks",
                new NdArray.Booleans(new int[] {2, 3}, new boolean[6]),
                "FILE: 'train_masks' has 1 splits, 'val_masks' has 2, 'test_masks' has 1");
    }

    @Test
    void rejectsFilesThatAreNoGraph() {
        plain.remove("node_features");
        Path file = file();
        assertThatThrownBy(() -> GraphFile.read(file))
                .hasMessageStartingWith(file + " is not a graph in a known layout: it has neither 'node_features' nor");
    }
}
