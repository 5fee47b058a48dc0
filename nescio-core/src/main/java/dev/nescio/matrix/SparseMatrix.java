// SPDX-License-Identifier: Apache-2.0
package dev.nescio.matrix;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A sparse matrix by compressed rows: the entries of row i are at {@code pointers[i] .. pointers[i + 1] - 1}.
 *
 * <p>The accessors return the arrays themselves: treat them as read-only.
 */
public final class SparseMatrix implements Matrix {

    private final int columns;
    private final int[] pointers;
    private final int[] indices;
    private final float[] values;

    private SparseMatrix(int columns, int[] pointers, int[] indices, float[] values) {
        this.columns = columns;
        this.pointers = pointers;
        this.indices = indices;
        this.values = values;
    }

    /** Takes the arrays over without copying them, after checking that they describe a matrix. */
    public static SparseMatrix of(int columns, int[] pointers, int[] indices, float[] values) {
        if (columns < 0) {
            throw new IllegalArgumentException("the number of columns must not be negative, got " + columns);
        }
        if (pointers.length == 0 || pointers[0] != 0) {
            throw new IllegalArgumentException("row pointers must begin with 0");
        }
        for (int i = 1; i < pointers.length; i++) {
            if (pointers[i] < pointers[i - 1]) {
                throw new IllegalArgumentException("row pointers must not fall, got " + pointers[i] + " after "
                        + pointers[i - 1] + " at row " + i);
            }
        }
        int entries = pointers[pointers.length - 1];
        if (entries != indices.length || entries != values.length) {
            throw new IllegalArgumentException("the row pointers end at " + entries + ", but there are "
                    + indices.length + " column indices and " + values.length + " values");
        }
        for (int i = 0; i < indices.length; i++) {
            if (indices[i] < 0 || indices[i] >= columns) {
                throw new IllegalArgumentException(
                        "entry " + i + " is in column " + indices[i] + ", but there are " + columns + " columns");
            }
        }
        return new SparseMatrix(columns, pointers, indices, values);
    }

    @Override
    public int rows() {
        return pointers.length - 1;
    }

    @Override
    public int columns() {
        return columns;
    }

    /** Whether a product with it changes nothing. */
    public boolean isIdentity() {
        return rows() == columns
                && values.length == columns
                && IntStream.range(0, columns).allMatch(i -> pointers[i] == i && indices[i] == i && values[i] == 1);
    }

    @Override
    public float get(int row, int column) {
        float sum = 0;
        for (int e = pointers[row]; e < pointers[row + 1]; e++) {
            sum += indices[e] == column ? values[e] : 0;
        }
        return sum;
    }

    @Override
    public long stored() {
        return values.length;
    }

    /**
     * Where each row begins and, as the last entry, the number of stored entries: {@code rows() + 1} numbers. The array itself,
     * not a copy.
     */
    public int[] pointers() {
        return pointers;
    }

    /** The column of every stored entry, row after row; within a row in any order. The array itself, not a copy. */
    public int[] indices() {
        return indices;
    }

    /** The value of every stored entry, in the order of {@link #indices}. The array itself, not a copy. */
    public float[] values() {
        return values;
    }

    @Override
    public SparseMatrix above(Matrix more) {
        requireColumns(more);
        SparseMatrix rest = more instanceof DenseMatrix dense ? dense.toSparse() : (SparseMatrix) more;
        int stored = values.length;
        int[] bothPointers = Arrays.copyOf(pointers, pointers.length + rest.rows());
        for (int i = 1; i < rest.pointers.length; i++) {
            bothPointers[rows() + i] = Math.addExact(stored, rest.pointers[i]);
        }
        int[] bothIndices = Arrays.copyOf(indices, stored + rest.indices.length);
        System.arraycopy(rest.indices, 0, bothIndices, stored, rest.indices.length);
        float[] bothValues = Arrays.copyOf(values, stored + rest.values.length);
        System.arraycopy(rest.values, 0, bothValues, stored, rest.values.length);
        return new SparseMatrix(columns, bothPointers, bothIndices, bothValues);
    }

    @Override
    public SparseMatrix mapRows(RowChange change) {
        float[] changed = values.clone();
        for (int i = 0; i < rows(); i++) {
            change.apply(changed, pointers[i], pointers[i + 1]);
        }
        return new SparseMatrix(columns, pointers, indices, changed);
    }

    @Override
    public SparseMatrix select(int[] nodes) {
        int[] chosenPointers = new int[nodes.length + 1];
        for (int i = 0; i < nodes.length; i++) {
            chosenPointers[i + 1] = Math.addExact(chosenPointers[i], pointers[nodes[i] + 1] - pointers[nodes[i]]);
        }
        int[] chosenIndices = new int[chosenPointers[nodes.length]];
        float[] chosenValues = new float[chosenIndices.length];
        for (int i = 0; i < nodes.length; i++) {
            int length = chosenPointers[i + 1] - chosenPointers[i];
            System.arraycopy(indices, pointers[nodes[i]], chosenIndices, chosenPointers[i], length);
            System.arraycopy(values, pointers[nodes[i]], chosenValues, chosenPointers[i], length);
        }
        return new SparseMatrix(columns, chosenPointers, chosenIndices, chosenValues);
    }

    /** Rows become columns; within a row of the result the indices rise. */
    public SparseMatrix transposed() {
        int[] source = transposition();
        int rows = rows();
        int[] rowOf = rowOfEntry();
        int[] flippedPointers = columnPointers();
        int[] flippedIndices = new int[indices.length];
        float[] flippedValues = new float[values.length];
        for (int e = 0; e < source.length; e++) {
            flippedIndices[e] = rowOf[source[e]];
            flippedValues[e] = values[source[e]];
        }
        return new SparseMatrix(rows, flippedPointers, flippedIndices, flippedValues);
    }

    /** For every entry of the transposed matrix, the position of the same entry here. */
    public int[] transposition() {
        int[] next = columnPointers();
        int[] source = new int[indices.length];
        for (int e = 0; e < indices.length; e++) {
            source[next[indices[e]]++] = e;
        }
        return source;
    }

    /** Where the entries of each column begin, once they are sorted by column. */
    private int[] columnPointers() {
        int[] begins = new int[columns + 1];
        for (int index : indices) {
            begins[index + 1]++;
        }
        for (int i = 0; i < columns; i++) {
            begins[i + 1] += begins[i];
        }
        return begins;
    }

    /** For every entry, its row. */
    public int[] rowOfEntry() {
        int[] rowOf = new int[indices.length];
        for (int i = 0; i < rows(); i++) {
            Arrays.fill(rowOf, pointers[i], pointers[i + 1], i);
        }
        return rowOf;
    }

    /** All rows with their zeros, in new memory of rows times columns; entries stored twice are added up. */
    public DenseMatrix toDense() {
        return toDense(0, rows());
    }

    /** Rows {@code from .. from + count - 1}. */
    public DenseMatrix toDense(int from, int count) {
        float[] dense = new float[Math.multiplyExact(count, columns)];
        for (int i = 0; i < count; i++) {
            for (int e = pointers[from + i]; e < pointers[from + i + 1]; e++) {
                dense[i * columns + indices[e]] += values[e];
            }
        }
        return DenseMatrix.of(count, columns, dense);
    }

    @Override
    public @Nullable Entry firstNotFinite() {
        for (int i = 0; i < rows(); i++) {
            for (int e = pointers[i]; e < pointers[i + 1]; e++) {
                if (!Float.isFinite(values[e])) {
                    return new Entry(i, indices[e], values[e]);
                }
            }
        }
        return null;
    }
}
