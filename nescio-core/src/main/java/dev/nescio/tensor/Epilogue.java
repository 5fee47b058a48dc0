// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/**
 * What follows a matrix product entry by entry, {@code gelu(dropout(y + bias)) + plus}, each part where it is wanted: one pass over rows while
 * they are in the cache of the core that made them, and one in the backward pass. For floats.
 */
final class Epilogue {

    private final int width;
    /** Of whole rows that are worked on at a time, or of one row. */
    private final int entries;
    /** As often as rows are worked on at a time: short loops do not become vector instructions. */
    private final float @Nullable [] bias;

    private final @Nullable Mask mask;
    private final boolean isGelu;
    private final @Nullable FloatPointer plus;
    /** The derivative of every entry, where the backward pass needs more than the mask. */
    private @Nullable FloatPointer slopes;

    /**
     * @param width entries of a row
     * @param plus of the shape of the result; in the forward pass alone
     */
    Epilogue(int width, @Nullable Tensor bias, @Nullable Mask mask, boolean isGelu, @Nullable Tensor plus) {
        this.width = width;
        this.entries = width <= Scratch.ENTRIES ? Scratch.ENTRIES / width * width : width;
        this.bias = bias == null ? null : repeated(bias.detached().toFloats(), entries);
        this.mask = mask;
        this.isGelu = isGelu;
        this.plus = plus == null ? null : plus.contiguous().raw().data_ptr_float();
    }

    private static float[] repeated(float[] row, int entries) {
        float[] rows = new float[entries];
        for (int at = 0; at < entries; at += row.length) {
            System.arraycopy(row, 0, rows, at, row.length);
        }
        return rows;
    }

    /** What {@link #backward} adds column sums to. */
    float[] noSums() {
        return new float[entries];
    }

    /** Sums of the columns, from what {@link #backward} has added up. */
    float[] perColumn(float[] sums) {
        float[] columns = Arrays.copyOf(sums, width);
        for (int at = width; at < entries; at += width) {
            add(columns, 0, sums, at, width);
        }
        return columns;
    }

    /** Whether values stay as they are. */
    boolean isEmpty() {
        return bias == null && plus == null && isConstant();
    }

    /** Whether gradients of entries pass as they are. */
    boolean isConstant() {
        return mask == null && !isGelu;
    }

    /** To be called before the forward pass where a backward pass will follow; until that is over, slopes are kept. */
    void expectBackward(long rows) {
        if (isGelu) {
            slopes = CustomGradient.save(Tensor.empty(ScalarType.Float, rows, width))
                    .raw()
                    .data_ptr_float();
        }
    }

    /** Entries of whole rows, in place. The pointer is that of the first row of all. */
    void forward(FloatPointer all, long firstRow, long rows) {
        Scratch scratch = Scratch.ofThread();
        float[] values = scratch.values;
        pieces(firstRow * width, rows * width, (first, size) -> {
            all.getPointer(first).get(values, 0, size);
            if (bias != null) {
                add(values, 0, bias, (int) (first % width), size);
            }
            if (mask != null) {
                mask.factors(first, size, scratch);
                multiply(values, scratch.factors, size);
            }
            if (slopes != null) {
                Gelu.apply(values, scratch.slopes, size);
                if (mask != null) {
                    multiply(scratch.slopes, scratch.factors, size);
                }
                slopes.getPointer(first).put(scratch.slopes, 0, size);
            } else if (isGelu) {
                Gelu.apply(values, size);
            }
            if (plus != null) {
                plus.getPointer(first).get(scratch.factors, 0, size);
                add(values, 0, scratch.factors, 0, size);
            }
            all.getPointer(first).put(values, 0, size);
        });
    }

    /**
     * From gradients of the results of whole rows to those of the products.
     *
     * @param gradients of all rows
     * @param target of these rows alone
     * @param sums what the bias gets from these rows is added to it, see {@link #perColumn}
     */
    void backward(FloatPointer gradients, FloatPointer target, long firstRow, long rows, float @Nullable [] sums) {
        Scratch scratch = Scratch.ofThread();
        float[] values = scratch.values;
        long start = firstRow * width;
        pieces(start, rows * width, (first, size) -> {
            gradients.getPointer(first).get(values, 0, size);
            if (slopes != null) {
                slopes.getPointer(first).get(scratch.slopes, 0, size);
                multiply(values, scratch.slopes, size);
            } else if (mask != null) {
                mask.factors(first, size, scratch);
                multiply(values, scratch.factors, size);
            }
            if (sums != null) {
                add(sums, (int) (first % width), values, 0, size);
            }
            target.getPointer(first - start).put(values, 0, size);
        });
    }

    private interface Piece {
        void run(long first, int size);
    }

    /** Whole rows, or parts of one row where it is too long. */
    private void pieces(long start, long count, Piece piece) {
        long end = start + count;
        long first = start;
        while (first < end) {
            long rest = width <= Scratch.ENTRIES ? end - first : width - first % width;
            int size = (int) Math.min(Math.min(entries, Scratch.ENTRIES), rest);
            piece.run(first, size);
            first += size;
        }
    }

    private static void add(float[] target, int at, float[] source, int from, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] += source[from + i];
        }
    }

    private static void multiply(float[] values, float[] factors, int size) {
        for (int i = 0; i < size; i++) {
            values[i] *= factors[i];
        }
    }
}
