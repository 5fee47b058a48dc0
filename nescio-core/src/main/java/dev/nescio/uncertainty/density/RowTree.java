// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows sorted into leaves of rows that lie close together, each with its bounding box, so that whole leaves can be left out
 * of a search. Only the columns of the largest variance count: hidden states spread mainly along a few.
 */
final class RowTree {

    private static final int MOST_COLUMNS = 16;

    private final int[] columns;
    private final List<Leaf> leaves = new ArrayList<>();
    private final int[] order;

    /**
     * Rows {@code from .. from + size - 1} of the order, and the box around them.
     *
     * @param low smallest value of each column that counts
     * @param high largest value of each
     */
    record Leaf(int from, int size, float[] low, float[] high) {}

    RowTree(DenseMatrix rows, int leafSize) {
        int[] all = IntStream.range(0, rows.rows()).toArray();
        double[] variances = IntStream.range(0, rows.columns())
                .mapToDouble(j -> variance(rows, all, 0, all.length, j))
                .toArray();
        this.columns = IntStream.range(0, rows.columns())
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -variances[j]))
                .limit(MOST_COLUMNS)
                .mapToInt(Integer::intValue)
                .toArray();
        this.order = all;
        split(rows, 0, all.length, leafSize);
    }

    /** Row numbers, leaf by leaf. */
    int[] order() {
        return order;
    }

    List<Leaf> leaves() {
        return leaves;
    }

    private void split(DenseMatrix rows, int from, int to, int leafSize) {
        if (to - from <= leafSize) {
            leaves.add(leaf(rows, from, to));
            return;
        }
        int widest = IntStream.of(columns)
                .boxed()
                .max(Comparator.comparingDouble(j -> variance(rows, order, from, to, j)))
                .orElseThrow();
        int[] sorted = IntStream.range(from, to)
                .map(i -> order[i])
                .boxed()
                .sorted(Comparator.comparingDouble(row -> rows.get(row, widest)))
                .mapToInt(Integer::intValue)
                .toArray();
        System.arraycopy(sorted, 0, order, from, sorted.length);
        // Full leaves but for the last one, so that products are of one size.
        int half = ((to - from) / 2 + leafSize - 1) / leafSize * leafSize;
        split(rows, from, from + half, leafSize);
        split(rows, from + half, to, leafSize);
    }

    private Leaf leaf(DenseMatrix rows, int from, int to) {
        float[] low = new float[columns.length];
        float[] high = new float[columns.length];
        for (int c = 0; c < columns.length; c++) {
            low[c] = Float.POSITIVE_INFINITY;
            high[c] = Float.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                float value = rows.get(order[i], columns[c]);
                low[c] = Math.min(low[c], value);
                high[c] = Math.max(high[c], value);
            }
        }
        return new Leaf(from, to - from, low, high);
    }

    private static double variance(DenseMatrix rows, int[] order, int from, int to, int column) {
        double sum = 0;
        double squares = 0;
        double first = rows.get(order[from], column);
        for (int i = from; i < to; i++) {
            double value = rows.get(order[i], column) - first;
            sum += value;
            squares += value * value;
        }
        return squares - sum * sum / (to - from);
    }

    /** For every leaf a square: no row of the leaf is nearer to the query than its root. */
    double[] squaredDistances(DenseMatrix queries, int query) {
        float[] values = queries.values();
        int first = query * queries.columns();
        double[] place = new double[columns.length];
        for (int c = 0; c < place.length; c++) {
            place[c] = values[first + columns[c]];
        }
        double[] squares = new double[leaves.size()];
        for (int l = 0; l < squares.length; l++) {
            squares[l] = squaredDistance(place, leaves.get(l));
        }
        return squares;
    }

    private static double squaredDistance(double[] place, Leaf leaf) {
        double sum = 0;
        for (int c = 0; c < place.length; c++) {
            double below = leaf.low[c] - place[c];
            double above = place[c] - leaf.high[c];
            double outside = below > above ? below : above;
            outside = outside > 0 ? outside : 0;
            sum += outside * outside;
        }
        return sum;
    }
}
