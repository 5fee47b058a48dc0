// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.Arrays;

/**
 * Keeps the smallest entries of every row of a matrix that is seen block by block, a few columns at a time. One scan of
 * each block, which hardly ever finds a new candidate after the first few hundred entries of a row: several times as
 * fast as libtorch's {@code topk}.
 */
public final class SmallestPerRow {

    private final int count;
    private final int[] columns;
    private final float[] values;
    private float[] block = new float[0];

    public SmallestPerRow(int rows, int count) {
        this.count = count;
        this.columns = new int[rows * count];
        this.values = new float[rows * count];
        Arrays.fill(values, Float.POSITIVE_INFINITY);
    }

    /** Takes note of entries [chosen, width] of some rows, whose first column has this number. */
    public void add(Tensor entries, int[] chosen, int firstColumn) {
        int width = entries.columns();
        int size = chosen.length * width;
        if (block.length < size) {
            block = new float[size];
        }
        entries.raw().data_ptr_float().get(block, 0, size);
        for (int i = 0; i < chosen.length; i++) {
            scan(chosen[i], i * width, width, firstColumn);
        }
    }

    private void scan(int row, int begin, int width, int firstColumn) {
        int at = row * count;
        float limit = values[at + count - 1];
        for (int j = 0, i = begin; j < width; j++, i++) {
            if (block[i] < limit) {
                insert(at, block[i], firstColumn + j);
                limit = values[at + count - 1];
            }
        }
    }

    private void insert(int at, float value, int column) {
        int place = at + count - 1;
        while (place > at && values[place - 1] > value) {
            values[place] = values[place - 1];
            columns[place] = columns[place - 1];
            place--;
        }
        values[place] = value;
        columns[place] = column;
    }

    /** How many entries of a row are kept. */
    public int count() {
        return count;
    }

    /** The column of a row's i-th smallest entry. */
    public int column(int row, int i) {
        return columns[row * count + i];
    }

    /** A row's i-th smallest entry. */
    public float value(int row, int i) {
        return values[row * count + i];
    }
}
