// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;

/**
 * Rows that are tensors, kept or computed, until somebody asks for their numbers. Whoever computes with tensors reads them without a
 * way over the heap, by {@link #of}.
 */
public interface TensorRows extends DenseMatrix.Rows {

    /** Rows that are looked at together by {@link #areFinite}. */
    int CHECKED_ROWS = 4096;

    /** So many rows from this one on, [count, columns]; the scope of the caller ends them, and nobody may change them. */
    Tensor rows(int from, int count);

    /** Rows of these numbers in this order, [chosen, columns]. */
    Tensor rows(int[] chosen);

    @Override
    default float[] read(int from, int count) {
        return Scope.run(() -> rows(from, count).toFloats());
    }

    /** Some consecutive rows of any matrix, [count, columns], for reading alone. */
    static Tensor of(Matrix x, int from, int count) {
        if (x instanceof SparseMatrix sparse) {
            return Tensor.of(sparse.toDense(from, count));
        }
        DenseMatrix dense = (DenseMatrix) x;
        DenseMatrix.Rows source = dense.source();
        if (source instanceof TensorRows rows) {
            return rows.rows(from, count);
        }
        return source != null
                ? Tensor.of(source.read(from, count), count, dense.columns())
                : Tensor.of(dense.values(), from * dense.columns(), count, dense.columns());
    }

    /** Whether no entry of any matrix is infinite or not a number; what lies in native memory stays there. */
    static boolean areFinite(Matrix x) {
        for (int from = 0; from < x.rows(); from += CHECKED_ROWS) {
            int first = from;
            int count = Math.min(CHECKED_ROWS, x.rows() - from);
            if (!Scope.run(() -> of(x, first, count).isFinite())) {
                return false;
            }
        }
        return true;
    }

    /** Some rows of any matrix in this order, [chosen, columns]. */
    static Tensor of(Matrix x, int[] chosen) {
        if (x instanceof DenseMatrix dense && dense.source() instanceof TensorRows rows) {
            return rows.rows(chosen);
        }
        return of(x.select(chosen), 0, chosen.length);
    }
}
