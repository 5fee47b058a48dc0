// SPDX-License-Identifier: Apache-2.0
package dev.nescio.matrix;

import org.jspecify.annotations.Nullable;

/** A float matrix, dense or sparse; row i belongs to node i. Immutable by convention: nobody writes after building. */
public sealed interface Matrix permits DenseMatrix, SparseMatrix {

    /** The number of rows, one per node. */
    int rows();

    /** The number of columns, which may be 0. */
    int columns();

    /** The entry of one row and column; meant for looking, not for loops over everything. */
    float get(int row, int column);

    /** How many entries are stored: all of a dense matrix, the non-zero ones of a sparse one. */
    long stored();

    /** The first entry that is NaN or infinite, or null. */
    @Nullable
    Entry firstNotFinite();

    /** The rows of these nodes, in this order. */
    Matrix select(int[] nodes);

    /** These rows, and behind them those of another matrix with as many columns; dense or sparse as this one is. */
    Matrix above(Matrix more);

    /** Throws {@link IllegalArgumentException} where another matrix has a different number of columns. */
    default void requireColumns(Matrix more) {
        if (more.columns() != columns()) {
            throw new IllegalArgumentException("rows of " + columns() + " columns and of " + more.columns());
        }
    }

    /** A copy whose rows have been changed in place; of a sparse matrix only the stored entries are seen. */
    Matrix mapRows(RowChange change);

    /** Changes {@code values[from .. to - 1]}, the entries of one row. */
    @FunctionalInterface
    interface RowChange {
        /** Changes the entries of one row in place, from {@code values[from]} to {@code values[to - 1]}, and no others. */
        void apply(float[] values, int from, int to);
    }

    /** The place and the value of one entry. */
    record Entry(int row, int column, float value) {}
}
