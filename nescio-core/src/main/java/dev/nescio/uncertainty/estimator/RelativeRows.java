// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Parallel;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.tensor.TensorRows;
import java.util.List;

/**
 * Where a state points, {@code h / (|h| + radius)}, computed row by row when somebody reads it: no copy of the state exists.
 *
 * @param shares {@code 1 / (|h| + radius)} of every row
 */
record RelativeRows(DenseMatrix state, float[] shares) implements TensorRows {

    /** Rows whose squares stay in the cache. */
    private static final int BLOCK_ROWS = 256;

    /** Directions, [nodes, columns], and {@code ln(1 + |h| / radius)}, [nodes, 1]. */
    static List<DenseMatrix> of(DenseMatrix state, double[] lengths, double radius) {
        float[] shares = new float[lengths.length];
        float[] logarithms = new float[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            shares[i] = (float) (1 / (lengths[i] + radius));
            logarithms[i] = (float) Math.log1p(lengths[i] / radius);
        }
        return List.of(
                DenseMatrix.later(state.rows(), state.columns(), new RelativeRows(state, shares)),
                DenseMatrix.of(lengths.length, 1, logarithms));
    }

    /** The length of every row, in doubles, so that no square overflows. */
    static double[] lengths(DenseMatrix state) {
        double[] lengths = new double[state.rows()];
        Parallel.sideBySide((lengths.length + BLOCK_ROWS - 1) / BLOCK_ROWS, block -> {
            int from = block * BLOCK_ROWS;
            int count = Math.min(BLOCK_ROWS, lengths.length - from);
            double[] some = Scope.run(() -> TensorRows.of(state, from, count)
                    .toDouble()
                    .squaredRowNorms()
                    .sqrt()
                    .toDoubles());
            System.arraycopy(some, 0, lengths, from, count);
        });
        return lengths;
    }

    @Override
    public Tensor rows(int from, int count) {
        return TensorRows.of(state, from, count).times(Tensor.of(shares, from, count, 1));
    }

    @Override
    public Tensor rows(int[] chosen) {
        float[] some = new float[chosen.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = shares[chosen[i]];
        }
        return TensorRows.of(state, chosen).times(Tensor.of(some, some.length, 1));
    }
}
