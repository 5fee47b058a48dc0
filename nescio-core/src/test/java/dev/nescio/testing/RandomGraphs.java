// SPDX-License-Identifier: Apache-2.0
package dev.nescio.testing;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.random.Rng;
import java.util.ArrayList;
import java.util.List;

/** Small random inputs for tests. */
public final class RandomGraphs {

    private RandomGraphs() {}

    public static DenseMatrix dense(int rows, int columns, long seed) {
        Rng rng = new Rng(seed);
        float[] values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) rng.nextGaussian();
        }
        return DenseMatrix.of(rows, columns, values);
    }

    /** Each entry is there with a probability; some rows are empty. */
    public static SparseMatrix sparse(int rows, int columns, double fill, long seed) {
        Rng rng = new Rng(seed);
        int[] pointers = new int[rows + 1];
        List<Integer> indices = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                if (i % 5 != 3 && rng.nextDouble() < fill) {
                    indices.add(j);
                }
            }
            pointers[i + 1] = indices.size();
        }
        float[] values = new float[indices.size()];
        for (int e = 0; e < values.length; e++) {
            values[e] = (float) rng.nextGaussian();
        }
        return SparseMatrix.of(
                columns, pointers, indices.stream().mapToInt(Integer::intValue).toArray(), values);
    }
}
