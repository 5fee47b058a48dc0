// SPDX-License-Identifier: Apache-2.0
package dev.nescio.matrix;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A dense matrix in row-major order.
 *
 * <p>{@link #values()} is the array itself, not a copy, so that large matrices are never doubled: treat it as read-only.
 */
public final class DenseMatrix implements Matrix {

    /** With at most this share of non-zero entries, sparse products are faster. */
    private static final double SPARSE_FILL = 0.15;

    /** Entries that are looked at between two decisions whether all of them are finite. */
    private static final int FINITE_BLOCK = 4096;

    /** The bits of infinity; those of NaN are larger, those of finite numbers smaller, but for the sign. */
    private static final int INFINITE = 0x7f800000;

    private final int rows;
    private final int columns;
    private final float @Nullable [] given;
    private final @Nullable Rows source;
    private @Nullable Read read;
    private boolean isKnownFinite;

    private DenseMatrix(int rows, int columns, float @Nullable [] given, @Nullable Rows source) {
        this.rows = rows;
        this.columns = columns;
        this.given = given;
        this.source = source;
    }

    private DenseMatrix(int rows, int columns, float[] values) {
        this(rows, columns, values, null);
    }

    /** Rows that lie elsewhere, or that are computed when somebody wants them. Any thread may read. */
    @FunctionalInterface
    public interface Rows {

        /** So many rows from this one on, in row-major order, in an array that nobody else writes to. */
        float[] read(int from, int count);
    }

    /** What was read, once for all: a final field, so that threads that see it see all of it. */
    private record Read(float[] values) {}

    /** A matrix whose entries are read when somebody first asks for them, and then kept. */
    public static DenseMatrix later(int rows, int columns, Rows source) {
        Math.multiplyExact(rows, columns);
        return new DenseMatrix(rows, columns, null, source);
    }

    /** Where the rows lie that are read when somebody asks; null where all entries were here from the beginning. */
    public @Nullable Rows source() {
        return source;
    }

    /** Takes the array over without copying it. */
    public static DenseMatrix of(int rows, int columns, float[] values) {
        if (rows < 0 || columns < 0 || (long) rows * columns != values.length) {
            throw new IllegalArgumentException("a matrix of " + rows + " x " + columns + " needs "
                    + (long) rows * columns + " values, got " + values.length);
        }
        return new DenseMatrix(rows, columns, values);
    }

    /** A copy of these rows, which must have one length; no rows make a matrix of 0 x 0. */
    public static DenseMatrix of(float[][] rows) {
        int columns = rows.length == 0 ? 0 : rows[0].length;
        float[] values = new float[Math.multiplyExact(rows.length, columns)];
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != columns) {
                throw new IllegalArgumentException(
                        "row " + i + " has " + rows[i].length + " values, row 0 has " + columns);
            }
            System.arraycopy(rows[i], 0, values, i * columns, columns);
        }
        return new DenseMatrix(rows.length, columns, values);
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public float get(int row, int column) {
        return values()[row * columns + column];
    }

    @Override
    public long stored() {
        return (long) rows * columns;
    }

    /**
     * All entries in row-major order: that of row i and column j is at {@code i * columns() + j}. The array itself, not a copy.
     */
    public float[] values() {
        return given != null ? given : readValues();
    }

    private float[] readValues() {
        Read known = read;
        if (known == null) {
            synchronized (this) {
                known = read == null ? new Read(Objects.requireNonNull(source).read(0, rows)) : read;
                read = known;
            }
        }
        return known.values;
    }

    @Override
    public DenseMatrix select(int[] nodes) {
        float[] values = values();
        float[] chosen = new float[Math.multiplyExact(nodes.length, columns)];
        for (int i = 0; i < nodes.length; i++) {
            System.arraycopy(values, nodes[i] * columns, chosen, i * columns, columns);
        }
        return new DenseMatrix(nodes.length, columns, chosen);
    }

    @Override
    public DenseMatrix above(Matrix more) {
        requireColumns(more);
        DenseMatrix rest = more instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) more;
        float[] values = values();
        float[] below = rest.values();
        float[] both = Arrays.copyOf(values, Math.addExact(values.length, below.length));
        System.arraycopy(below, 0, both, values.length, below.length);
        return new DenseMatrix(rows + rest.rows, columns, both);
    }

    @Override
    public DenseMatrix mapRows(RowChange change) {
        float[] changed = values().clone();
        for (int i = 0; i < rows; i++) {
            change.apply(changed, i * columns, (i + 1) * columns);
        }
        return new DenseMatrix(rows, columns, changed);
    }

    /** The non-zero entries only. */
    public SparseMatrix toSparse() {
        float[] values = values();
        int[] pointers = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            int count = 0;
            for (int j = 0; j < columns; j++) {
                count += values[i * columns + j] != 0 ? 1 : 0;
            }
            pointers[i + 1] = Math.addExact(pointers[i], count);
        }
        int[] indices = new int[pointers[rows]];
        float[] kept = new float[pointers[rows]];
        int next = 0;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float value = values[i * columns + j];
                if (value != 0) {
                    indices[next] = j;
                    kept[next++] = value;
                }
            }
        }
        return SparseMatrix.of(columns, pointers, indices, kept);
    }

    @Override
    public @Nullable Entry firstNotFinite() {
        float[] values = values();
        for (int from = 0; from < values.length && !isKnownFinite; from += FINITE_BLOCK) {
            int to = Math.min(from + FINITE_BLOCK, values.length);
            if (largestBits(values, from, to) >= INFINITE) {
                return firstNotFinite(values, from);
            }
        }
        // Entries do not change: nobody needs to look again.
        isKnownFinite = true;
        return null;
    }

    /** No branch in the loop, so that it runs on several entries at a time. */
    private static int largestBits(float[] values, int from, int to) {
        int largest = 0;
        for (int i = from; i < to; i++) {
            largest = Math.max(largest, Float.floatToRawIntBits(values[i]) & Integer.MAX_VALUE);
        }
        return largest;
    }

    private Entry firstNotFinite(float[] values, int from) {
        int i = from;
        while (Float.isFinite(values[i])) {
            i++;
        }
        return new Entry(i / columns, i % columns, values[i]);
    }

    /** The same, sparse where most entries are zero: products are faster then. */
    public Matrix compact() {
        long filled = 0;
        for (float value : values()) {
            filled += value != 0 ? 1 : 0;
        }
        return filled <= SPARSE_FILL * stored() ? toSparse() : this;
    }
}
