// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.Arrays;

/** An isolation forest (Liu, Ting and Zhou 2008) on the rows of a matrix: 100 trees of 256 rows, as most people use it. */
final class IsolationForest {

    private static final int TREES = 100;
    private static final int SAMPLE = 256;

    private final DenseMatrix x;
    private final Rng rng;
    private final int sample;
    private final double[] lengths;

    private IsolationForest(DenseMatrix x, long seed) {
        this.x = x;
        this.rng = new Seed(seed).rng();
        this.sample = Math.min(SAMPLE, x.rows());
        this.lengths = new double[x.rows()];
    }

    /** Larger is more anomalous. */
    static double[] scores(DenseMatrix x, long seed) {
        IsolationForest forest = new IsolationForest(x, seed);
        int[] all = new int[x.rows()];
        for (int v = 0; v < all.length; v++) {
            all[v] = v;
        }
        for (int t = 0; t < TREES; t++) {
            int[] rows = new int[forest.sample];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = forest.rng.nextInt(x.rows());
            }
            forest.grow(rows, all, 0);
        }
        double[] scores = new double[x.rows()];
        for (int v = 0; v < scores.length; v++) {
            scores[v] = Math.pow(2, -forest.lengths[v] / TREES / averageLength(forest.sample));
        }
        return scores;
    }

    /** Splits a part of the sample, and all rows that fall into the same part with it. */
    private void grow(int[] rows, int[] queries, int depth) {
        int limit = (int) Math.ceil(Math.log(sample) / Math.log(2));
        int column = depth < limit && rows.length > 1 && queries.length > 0 ? splittable(rows) : -1;
        if (column < 0) {
            for (int v : queries) {
                lengths[v] += depth + averageLength(rows.length);
            }
            return;
        }
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (int row : rows) {
            lowest = Math.min(lowest, x.get(row, column));
            highest = Math.max(highest, x.get(row, column));
        }
        double threshold = rng.nextDouble(lowest, highest);
        grow(side(rows, column, threshold, true), side(queries, column, threshold, true), depth + 1);
        grow(side(rows, column, threshold, false), side(queries, column, threshold, false), depth + 1);
    }

    /** A random column in which the rows differ; -1 if some tries find none. */
    private int splittable(int[] rows) {
        for (int attempt = 0; attempt < 200; attempt++) {
            int column = rng.nextInt(x.columns());
            for (int row : rows) {
                if (x.get(row, column) != x.get(rows[0], column)) {
                    return column;
                }
            }
        }
        return -1;
    }

    private int[] side(int[] rows, int column, double threshold, boolean isBelow) {
        return Arrays.stream(rows)
                .filter(row -> (x.get(row, column) < threshold) == isBelow)
                .toArray();
    }

    private static double averageLength(int n) {
        return n <= 1 ? 0 : 2 * (Math.log(n - 1.0) + 0.5772156649) - 2.0 * (n - 1) / n;
    }
}
