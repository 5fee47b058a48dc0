// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.io.array.Npz;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Graphs in npz files, by the names of their arrays: the plain layout of the heterophilous graphs ({@code node_features,
 * node_labels, edges, train_masks, ...}), the sparse layout of CitationFull ({@code adj_matrix.data, ...}) and the one of
 * gnn-benchmark ({@code adj_data, ...}). Edges become undirected.
 */
public final class GraphFile {

    private static final List<String> OPTIONAL =
            List.of("node_labels", "labels", "class_names", "node_names", "train_masks", "planetoid_train_mask");

    private GraphFile() {}

    /**
     * Reads a graph in whichever of these layouts the file has; its name is that of the file without {@code .npz}. Refuses
     * unknown layouts, damaged files, and arrays whose names look misspelt. Labels, names and splits are optional.
     */
    public static Graph read(Path file) {
        try (Npz npz = Npz.open(file)) {
            String name = file.getFileName().toString().replaceFirst("\\.npz$", "");
            requireNothingMisspelt(npz, file);
            if (npz.has("node_features")) {
                return build(plain(npz, name), name, file);
            }
            for (String separator : List.of("_matrix.", "_")) {
                if (npz.has("adj" + separator + "indptr")) {
                    return build(sparse(npz, name, separator), name, file);
                }
            }
            if (npz.has("shape") && (npz.has("indptr") || npz.has("row"))) {
                return build(links(npz, name), name, file);
            }
            throw new BadInput(file + " is not a graph in a known layout: it has neither 'node_features' nor"
                    + " 'adj_matrix.indptr' nor 'adj_indptr' nor 'indptr', but " + Nearest.some(npz.keys()));
        }
    }

    /** What may be missing must not be missing because its name is damaged or misspelt. */
    private static void requireNothingMisspelt(Npz npz, Path file) {
        for (String optional : OPTIONAL) {
            for (String key : npz.has(optional) ? Set.<String>of() : npz.keys()) {
                if (Nearest.isNearly(key, optional) || Nearest.isNearly(key, optional + ".npy")) {
                    throw new BadInput(file + " has an array '" + key + "'; did you mean '" + optional + "'?");
                }
            }
        }
    }

    /** A graph speaks of itself by its name; a user wants to know the file. */
    private static Graph build(Graph.Builder builder, String name, Path file) {
        try {
            return builder.build();
        } catch (BadInput e) {
            throw new BadInput(file + e.getMessage().substring(name.length()), e);
        }
    }

    private static Graph.Builder plain(Npz npz, String name) {
        NdArray.Floats features = npz.floats("node_features");
        require(npz, "node_features", features, 2);
        DenseMatrix dense = DenseMatrix.of(features.shape()[0], features.shape()[1], features.values());
        Graph.Builder builder = edges(npz, name, dense.rows()).features(dense.compact());
        labels(npz, "node_labels", dense.rows(), builder);
        masks(npz, dense.rows(), builder);
        return builder;
    }

    private static Graph.Builder edges(Npz npz, String name, int nodes) {
        NdArray.Ints edges = npz.ints("edges");
        require(npz, "edges", edges, 2);
        if (edges.shape()[1] != 2) {
            throw new BadInput(
                    npz.place("edges") + " has shape " + Arrays.toString(edges.shape()) + ", expected [edges, 2]");
        }
        int count = edges.shape()[0];
        int[] from = new int[count];
        int[] to = new int[count];
        for (int e = 0; e < count; e++) {
            from[e] = edges.values()[2 * e];
            to[e] = edges.values()[2 * e + 1];
        }
        return joined(npz, "edges", name, nodes, from, to);
    }

    private static Graph.Builder joined(Npz npz, String key, String name, int nodes, int[] from, int[] to) {
        try {
            Adjacency.Built built = Adjacency.undirected(nodes, from, to);
            return Graph.builder(name, built.adjacency()).notes(built.notes());
        } catch (BadInput e) {
            throw new BadInput(npz.place(key) + ": " + e.getMessage(), e);
        }
    }

    /** An entry that is stored as 0 is no edge. */
    private static Graph.Builder joined(Npz npz, String key, String name, SparseMatrix links) {
        int[] there = IntStream.range(0, links.values().length)
                .filter(e -> links.values()[e] != 0)
                .toArray();
        int[] rows = links.rowOfEntry();
        return joined(
                npz,
                key,
                name,
                links.rows(),
                IntStream.of(there).map(e -> rows[e]).toArray(),
                IntStream.of(there).map(e -> links.indices()[e]).toArray());
    }

    private static Graph.Builder sparse(Npz npz, String name, String separator) {
        SparseMatrix links = csr(npz, "adj" + separator);
        if (links.rows() != links.columns()) {
            throw new BadInput(npz.place("adj" + separator + "shape") + " is " + links.rows() + " x " + links.columns()
                    + ", but an adjacency is square");
        }
        Graph.Builder builder =
                joined(npz, "adj" + separator + "indices", name, links).features(csr(npz, "attr" + separator));
        labels(npz, "labels", links.rows(), builder);
        names(npz, links.rows(), builder);
        return builder;
    }

    /**
     * An adjacency as {@code scipy.sparse.save_npz} writes it, by rows, columns or coordinates. It has no features: a constant and
     * the logarithm of the degree stand for them.
     */
    private static Graph.Builder links(Npz npz, String name) {
        int[] shape = npz.ints("shape").values();
        if (shape.length != 2 || shape[0] != shape[1]) {
            throw new BadInput(npz.place("shape") + " is " + Arrays.toString(shape) + ", but an adjacency is square");
        }
        Graph.Builder builder;
        if (npz.has("indptr")) {
            SparseMatrix matrix = csr(npz, "");
            builder = joined(npz, "indices", name, matrix);
        } else {
            int[] from = npz.ints("row").values();
            int[] to = npz.ints("col").values();
            if (from.length != to.length) {
                throw new BadInput(npz.place("row") + " has " + from.length + " entries, 'col' has " + to.length);
            }
            builder = joined(npz, "row", name, shape[0], from, to);
        }
        Adjacency adjacency = builder.build().adjacency();
        float[] features = new float[2 * shape[0]];
        for (int v = 0; v < shape[0]; v++) {
            features[2 * v] = 1;
            features[2 * v + 1] = (float) Math.log1p(adjacency.degree(v));
        }
        return builder.features(DenseMatrix.of(shape[0], 2, features));
    }

    private static SparseMatrix csr(Npz npz, String prefix) {
        int[] shape = npz.ints(prefix + "shape").values();
        int[] pointers = npz.ints(prefix + "indptr").values();
        if (shape.length != 2 || shape[0] != pointers.length - 1) {
            throw new BadInput(npz.place(prefix + "shape") + " is " + Arrays.toString(shape) + ", but there are "
                    + (pointers.length - 1) + " rows");
        }
        try {
            return SparseMatrix.of(
                    shape[1],
                    pointers,
                    npz.ints(prefix + "indices").values(),
                    npz.floats(prefix + "data").values());
        } catch (IllegalArgumentException e) {
            throw new BadInput(npz.place(prefix + "*") + ": " + e.getMessage(), e);
        }
    }

    /** A file without labels is a graph to be scored. */
    private static void labels(Npz npz, String key, int nodes, Graph.Builder builder) {
        if (!npz.has(key)) {
            return;
        }
        NdArray.Ints labels = npz.ints(key);
        if (labels.values().length != nodes) {
            throw new BadInput(
                    npz.place(key) + " has " + labels.values().length + " labels, but there are " + nodes + " nodes");
        }
        int classes = Arrays.stream(labels.values()).max().orElse(-1) + 1;
        if (classes > nodes) {
            throw new BadInput(
                    npz.place(key) + " holds label " + (classes - 1) + ", but there are only " + nodes + " nodes");
        }
        List<String> names = textOrNone(npz, "class_names");
        if (names.size() == classes) {
            builder.labels(labels.values(), names);
        } else {
            builder.labels(labels.values(), classes);
        }
    }

    private static void names(Npz npz, int nodes, Graph.Builder builder) {
        List<String> names = textOrNone(npz, "node_names");
        if (names.isEmpty()) {
            return;
        }
        if (names.size() != nodes) {
            throw new BadInput(
                    npz.place("node_names") + " has " + names.size() + " names, but there are " + nodes + " nodes");
        }
        try {
            builder.ids(NodeIds.named(names));
        } catch (BadInput e) {
            throw new BadInput(npz.place("node_names") + ": " + e.getMessage(), e);
        }
    }

    /** Names are a courtesy: where they are missing or stored as objects, numbers serve. */
    private static List<String> textOrNone(Npz npz, String key) {
        return npz.has(key) && !npz.isObject(key) ? npz.strings(key) : List.of();
    }

    private static void masks(Npz npz, int nodes, Graph.Builder builder) {
        if (npz.has("train_masks")) {
            boolean[][] train = mask(npz, "train_masks", nodes);
            boolean[][] validation = mask(npz, "val_masks", nodes);
            boolean[][] test = mask(npz, "test_masks", nodes);
            if (train.length != validation.length || train.length != test.length) {
                throw new BadInput(npz.place("train_masks") + " has " + train.length + " splits, 'val_masks' has "
                        + validation.length + ", 'test_masks' has " + test.length);
            }
            for (int i = 0; i < train.length; i++) {
                builder.split(split(npz, Integer.toString(i), "train_masks", train[i], validation[i], test[i]));
            }
        }
        if (npz.has("planetoid_train_mask")) {
            builder.split(split(
                    npz,
                    "planetoid",
                    "planetoid_train_mask",
                    mask(npz, "planetoid_train_mask", nodes)[0],
                    mask(npz, "planetoid_val_mask", nodes)[0],
                    mask(npz, "planetoid_test_mask", nodes)[0]));
        }
    }

    private static Split split(
            Npz npz, String name, String key, boolean[] train, boolean[] validation, boolean[] test) {
        try {
            return new Split(name, NodeSet.ofMask(train), NodeSet.ofMask(validation), NodeSet.ofMask(test));
        } catch (BadInput e) {
            throw new BadInput(npz.place(key) + ": " + e.getMessage(), e);
        }
    }

    private static boolean[][] mask(Npz npz, String key, int nodes) {
        NdArray.Booleans masks = npz.booleans(key);
        int[] shape = masks.shape();
        if (shape.length < 1 || shape.length > 2 || shape[0] == 0 || shape[shape.length - 1] != nodes) {
            throw new BadInput(
                    npz.place(key) + " has shape " + Arrays.toString(shape) + ", expected [splits, " + nodes + "]");
        }
        boolean[][] rows = new boolean[shape.length == 1 ? 1 : shape[0]][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Arrays.copyOfRange(masks.values(), i * nodes, (i + 1) * nodes);
        }
        return rows;
    }

    private static void require(Npz npz, String key, NdArray array, int dimensions) {
        if (array.shape().length != dimensions) {
            throw new BadInput(npz.place(key) + " has shape " + Arrays.toString(array.shape()) + ", expected "
                    + dimensions + " dimensions");
        }
    }
}
