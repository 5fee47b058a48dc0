// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import java.util.Arrays;

/** The k nearest rows so far of one query, by squared distance. */
public final class Nearest {

    /** Dimensions between two looks at whether a row is too far already. */
    private static final int STRIDE = 16;

    private final double[] squared;
    private final int[] rows;

    public Nearest(int k) {
        this.squared = new double[k];
        this.rows = new int[k];
        clear();
    }

    public void clear() {
        Arrays.fill(squared, Double.POSITIVE_INFINITY);
    }

    double limit() {
        return squared[squared.length - 1];
    }

    /** Computes the distance from differences in doubles, and stops where the row is too far already. */
    public void offer(DenseMatrix queries, int q, DenseMatrix references, int row) {
        int dimensions = references.columns();
        float[] a = queries.values();
        float[] b = references.values();
        int i = q * dimensions;
        int j = row * dimensions;
        double limit = limit();
        double sum = 0;
        for (int begin = 0; begin < dimensions && sum < limit; begin += STRIDE) {
            int end = Math.min(begin + STRIDE, dimensions);
            sum += squared(a, i + begin, b, j + begin, end - begin);
        }
        if (sum < limit) {
            insert(sum, row);
        }
    }

    /** Two sums at a time, so that one addition need not wait for the other. */
    private static double squared(float[] a, int i, float[] b, int j, int length) {
        double even = 0;
        double odd = 0;
        int d = 0;
        for (; d + 1 < length; d += 2) {
            double first = (double) a[i + d] - b[j + d];
            double second = (double) a[i + d + 1] - b[j + d + 1];
            even += first * first;
            odd += second * second;
        }
        double last = d < length ? (double) a[i + d] - b[j + d] : 0;
        return even + odd + last * last;
    }

    private void insert(double distance, int row) {
        int place = squared.length - 1;
        while (place > 0 && squared[place - 1] > distance) {
            squared[place] = squared[place - 1];
            rows[place] = rows[place - 1];
            place--;
        }
        squared[place] = distance;
        rows[place] = row;
    }

    public void copyTo(NeighbourSearch.Found found, int query) {
        for (int i = 0; i < rows.length; i++) {
            found.rows()[query * rows.length + i] = rows[i];
            found.distances()[query * rows.length + i] = Math.sqrt(squared[i]);
        }
    }
}
