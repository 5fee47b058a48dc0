// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;

/** Graphs of any size whose structure is chance. */
final class RandomGraph {

    private RandomGraph() {}

    /** Features are noise in all directions. */
    static Graph make(int nodes, int edges, int features, int classes) {
        Rng rng = new Rng(0);
        int[] labels = new int[nodes];
        Arrays.setAll(labels, i -> rng.nextInt(classes));
        return make(nodes, edges, gaussian(nodes, features, 1, rng), labels, classes, rng);
    }

    /** Features whose variance falls from direction to direction, as word embeddings' does, and labels that follow them. */
    static Graph falling(int nodes, int edges, int features, int classes) {
        Rng rng = new Rng(0);
        DenseMatrix independent = gaussian(nodes, features, 1, rng);
        DenseMatrix falling = independent.mapRows((values, from, to) -> {
            for (int i = from; i < to; i++) {
                values[i] /= (float) Math.pow(1 + i - from, 0.6);
            }
        });
        DenseMatrix turned = Scope.run(() -> Tensor.of(falling)
                .product(Tensor.of(gaussian(features, features, 1 / Math.sqrt(features), rng)))
                .toMatrix());
        int[] labels = new int[nodes];
        Arrays.setAll(labels, v -> largest(independent, v, classes));
        return make(nodes, edges, turned, labels, classes, rng);
    }

    private static int largest(DenseMatrix values, int row, int columns) {
        int best = 0;
        for (int c = 1; c < columns; c++) {
            best = values.get(row, c) > values.get(row, best) ? c : best;
        }
        return best;
    }

    private static Graph make(int nodes, int edges, DenseMatrix features, int[] labels, int classes, Rng rng) {
        int[] from = new int[edges];
        int[] to = new int[edges];
        Arrays.setAll(from, i -> rng.nextInt(nodes));
        Arrays.setAll(to, i -> rng.nextInt(nodes));
        return Graph.builder("random", Adjacency.undirected(nodes, from, to).adjacency())
                .features(features)
                .labels(labels, classes)
                .build();
    }

    static DenseMatrix lowRank(int rows, int width, int rank, Rng rng) {
        return Scope.run(() -> Tensor.of(gaussian(rows, rank, 1, rng))
                .product(Tensor.of(gaussian(rank, width, 1, rng)))
                .plus(Tensor.of(gaussian(rows, width, 0.1, rng)))
                .toMatrix());
    }

    static DenseMatrix gaussian(int rows, int columns, double spread, Rng rng) {
        float[] values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (spread * rng.nextGaussian());
        }
        return DenseMatrix.of(rows, columns, values);
    }
}
