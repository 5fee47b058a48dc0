// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Keeps the smallest entries of every row of a matrix that is seen block by block, a few columns at a time. After the first few
 * hundred entries of a row a block hardly ever holds a new candidate, which the minima of groups of columns tell: many times as fast
 * as libtorch's {@code topk}.
 */
public final class SmallestPerRow {

    /** Columns that libtorch looks at side by side. */
    private static final int GROUPS = 32;

    private final int count;
    private final int[] columns;
    private final float[] values;

    public SmallestPerRow(int rows, int count) {
        this.count = count;
        this.columns = new int[rows * count];
        this.values = new float[rows * count];
        Arrays.fill(values, Float.POSITIVE_INFINITY);
    }

    /** Takes note of entries [chosen, width] of some rows, whose first column has this number. */
    public void add(Tensor entries, int[] chosen, int firstColumn) {
        int width = entries.columns();
        if (width % GROUPS == 0 && width > GROUPS) {
            addGroups(entries, chosen, firstColumn);
            return;
        }
        float[] all = entries.toFloats();
        for (int i = 0; i < chosen.length; i++) {
            for (int j = 0; j < width; j++) {
                offer(chosen[i], all[i * width + j], firstColumn + j);
            }
        }
    }

    /** The smallest entry of every {@value #GROUPS}-th column tells whether any of them is worth a look; libtorch finds it fast. */
    private void addGroups(Tensor entries, int[] chosen, int firstColumn) {
        int width = entries.columns();
        float[] smallest = Tensor.of(entries.raw()
                        .view(chosen.length, width / GROUPS, GROUPS)
                        .amin(new long[] {1}, false))
                .toFloats();
        FloatBuffer all = entries.raw()
                .data_ptr_float()
                .capacity((long) chosen.length * width)
                .asBuffer();
        for (int i = 0; i < chosen.length; i++) {
            float limit = values[chosen[i] * count + count - 1];
            for (int group = 0; group < GROUPS; group++) {
                // Also where the smallest is no number: others of the group may be one.
                if (!(smallest[i * GROUPS + group] >= limit)) {
                    for (int j = group; j < width; j += GROUPS) {
                        offer(chosen[i], all.get(i * width + j), firstColumn + j);
                    }
                    limit = values[chosen[i] * count + count - 1];
                }
            }
        }
    }

    private void offer(int row, float value, int column) {
        int at = row * count;
        if (value < values[at + count - 1]) {
            insert(at, value, column);
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
