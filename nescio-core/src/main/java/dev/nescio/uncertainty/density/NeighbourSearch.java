// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;

/** Finds the k nearest of a fixed set of rows; may be used by several threads at a time. */
public interface NeighbourSearch extends AutoCloseable {

    Found search(DenseMatrix queries);

    @Override
    void close();

    /** Row numbers and distances of the k nearest, k per query, nearest first. */
    record Found(int k, int[] rows, double[] distances) {}
}
