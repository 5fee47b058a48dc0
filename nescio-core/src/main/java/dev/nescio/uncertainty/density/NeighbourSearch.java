// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;

/** Finds the k nearest of a fixed set of rows; may be used by several threads at a time. */
public interface NeighbourSearch extends AutoCloseable {

    Found search(DenseMatrix queries);

    @Override
    void close();

    /** Row numbers and distances of the k nearest, k per query, nearest first. */
    record Found(int k, int[] rows, double[] distances) {

        /** One less per query: without the row that is the query itself, or the farthest where that was not found. */
        public Found without(int[] itself) {
            int fewer = k - 1;
            Found rest = new Found(fewer, new int[itself.length * fewer], new double[itself.length * fewer]);
            for (int q = 0; q < itself.length; q++) {
                int left = 0;
                for (int i = q * k; left < fewer; i++) {
                    if (rows[i] != itself[q]) {
                        rest.rows[q * fewer + left] = rows[i];
                        rest.distances[q * fewer + left] = distances[i];
                        left++;
                    }
                }
            }
            return rest;
        }
    }
}
