// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Replaces the features of some nodes by noise; edges, labels and the trained network stay as they are. The nodes are
 * drawn at random, the same share of the training, the validation, the test and the remaining nodes.
 *
 * @param kind what the noise looks like
 * @param share of the nodes, 0.1 in the paper
 * @param seed of nodes and noise
 */
public record FeatureNoise(Kind kind, double share, long seed) {

    /** What the noise looks like. */
    public enum Kind {
        /**
         * Like the data: for 0/1 features each entry is 1 as often as in its column, otherwise normal with the mean and the
         * variance of its column. Rows are scaled afterwards as those of the data are.
         */
        NEAR,
        /** Unlike the data: standard normal in every feature, not scaled afterwards. */
        FAR
    }

    /** Refuses a share that is not between 0 and 1, both excluded. */
    public FeatureNoise {
        if (!(share > 0 && share < 1)) {
            throw new BadConfiguration("the share of nodes with noise must lie between 0 and 1, got " + share);
        }
    }

    /** The graph with noise, its features prepared for a network, and the nodes that have it. */
    public record Noisy(Graph prepared, NodeSet nodes) {}

    /**
     * Replaces features of a raw graph and prepares all of them for a network; the same seed gives the same result. Of each set
     * of the split, the share of nodes is rounded down. The returned graph must not be prepared again.
     */
    public Noisy apply(Graph raw, Preprocessing preprocessing, Split split) {
        Seed root = new Seed(seed).split("feature noise");
        NodeSet chosen = choose(split, raw.nodes(), root.split("nodes").rng());
        Rng rng = root.split("values").rng();
        if (kind == Kind.FAR) {
            Graph prepared = preprocessing.apply(raw);
            Matrix features = replace(prepared.features(), chosen, j -> (float) rng.nextGaussian());
            return new Noisy(prepared.with().features(features).build(), chosen);
        }
        Preprocessing valuesOnly = Preprocessing.of(preprocessing.binary(), Preprocessing.RowNorm.NONE);
        Graph values = valuesOnly.apply(raw);
        Matrix features = replace(values.features(), chosen, like(values.features(), rng));
        Graph noisy = values.with().features(features).build();
        return new Noisy(Preprocessing.of(false, preprocessing.rows()).apply(noisy), chosen);
    }

    private NodeSet choose(Split split, int nodes, Rng rng) {
        NodeSet rest = NodeSet.where(
                nodes,
                v -> !split.train().contains(v)
                        && !split.validation().contains(v)
                        && !split.test().contains(v));
        BitSet chosen = new BitSet(nodes);
        for (NodeSet set : new NodeSet[] {split.train(), split.validation(), split.test(), rest}) {
            int[] members = set.toArray();
            rng.shuffle(members);
            for (int i = 0; i < (int) (share * members.length); i++) {
                chosen.set(members[i]);
            }
        }
        return NodeSet.of(chosen.stream().toArray());
    }

    /** Draws the entry of a column. */
    private interface Column {
        float draw(int column);
    }

    private static Column like(Matrix features, Rng rng) {
        int columns = features.columns();
        double[] mean = new double[columns];
        double[] square = new double[columns];
        boolean binary = true;
        SparseMatrix sparse = features instanceof SparseMatrix s ? s : ((DenseMatrix) features).toSparse();
        for (int e = 0; e < sparse.values().length; e++) {
            double value = sparse.values()[e];
            binary &= value == 1 || value == 0;
            mean[sparse.indices()[e]] += value / features.rows();
            square[sparse.indices()[e]] += value * value / features.rows();
        }
        if (binary) {
            return j -> rng.nextDouble() < mean[j] ? 1 : 0;
        }
        return j -> (float) (mean[j] + Math.sqrt(Math.max(0, square[j] - mean[j] * mean[j])) * rng.nextGaussian());
    }

    /** New rows for the chosen nodes; a sparse matrix stays sparse. */
    private static Matrix replace(Matrix features, NodeSet chosen, Column column) {
        int columns = features.columns();
        float[] rows = new float[Math.multiplyExact(chosen.size(), columns)];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = column.draw(i % columns);
        }
        DenseMatrix noise = DenseMatrix.of(chosen.size(), columns, rows);
        return features instanceof SparseMatrix sparse
                ? replace(sparse, chosen, noise.toSparse())
                : replace((DenseMatrix) features, chosen, noise);
    }

    private static DenseMatrix replace(DenseMatrix features, NodeSet chosen, DenseMatrix noise) {
        float[] values = features.values().clone();
        int columns = features.columns();
        int[] nodes = chosen.toArray();
        for (int i = 0; i < nodes.length; i++) {
            System.arraycopy(noise.values(), i * columns, values, nodes[i] * columns, columns);
        }
        return DenseMatrix.of(features.rows(), columns, values);
    }

    private static SparseMatrix replace(SparseMatrix features, NodeSet chosen, SparseMatrix noise) {
        int[] pointers = new int[features.rows() + 1];
        int[] indices = new int[Math.addExact(features.indices().length, noise.indices().length)];
        float[] values = new float[indices.length];
        int next = 0;
        int replaced = 0;
        for (int v = 0; v < features.rows(); v++) {
            boolean noisy = chosen.contains(v);
            SparseMatrix from = noisy ? noise : features;
            int row = noisy ? replaced++ : v;
            int begin = from.pointers()[row];
            int length = from.pointers()[row + 1] - begin;
            System.arraycopy(from.indices(), begin, indices, next, length);
            System.arraycopy(from.values(), begin, values, next, length);
            next += length;
            pointers[v + 1] = next;
        }
        return SparseMatrix.of(features.columns(), pointers, Arrays.copyOf(indices, next), Arrays.copyOf(values, next));
    }
}
