// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.estimator.StoredState;
import java.util.Arrays;
import java.util.Map;

/**
 * A few nodes that others are compared with: a node is as surprising as it is far, on average, from the nearest part of them. They are
 * few and the part is large, so that a group of alike outliers cannot hide behind one another.
 *
 * @param rows [references, width]
 * @param share of the references that count, the nearest ones
 */
record References(DenseMatrix rows, double share) {

    static final int MOST = 256;

    /**
     * The mean distance of every row.
     *
     * @param itself for every row the reference that it is, which is left out; -1 for others
     */
    float[] distances(DenseMatrix all, int[] itself) {
        float[] means = new float[all.rows()];
        Parallel.ranges(all.rows(), 64, (first, end) -> {
            float[] squares = new float[rows.rows()];
            for (int v = (int) first; v < end; v++) {
                means[v] = mean(all, v, itself[v], squares);
            }
        });
        return means;
    }

    private float mean(DenseMatrix all, int row, int itself, float[] squares) {
        int width = rows.columns();
        int count = 0;
        for (int r = 0; r < rows.rows(); r++) {
            if (r == itself) {
                continue;
            }
            float sum = 0;
            int from = row * width;
            int to = r * width;
            for (int c = 0; c < width; c++) {
                float difference = all.values()[from + c] - rows.values()[to + c];
                sum += difference * difference;
            }
            squares[count++] = sum;
        }
        Arrays.sort(squares, 0, count);
        int near = Math.max(1, (int) Math.round(share * count));
        double sum = 0;
        for (int i = 0; i < near; i++) {
            sum += Math.sqrt(squares[i]);
        }
        return (float) (sum / near);
    }

    void save(String name, Map<String, NdArray> state) {
        state.put(name + ".references", NdArray.of(rows));
        state.put(name + ".share", NdArray.of(new double[] {share}));
    }

    static References load(String name, Map<String, NdArray> state) {
        double[] share = StoredState.doubles(state, name + ".share");
        DenseMatrix rows = StoredState.matrix(state, name + ".references");
        StoredState.require(
                share.length == 1 && share[0] > 0 && share[0] <= 1 && rows.rows() >= 2,
                "'" + name + ".*' does not hold references");
        return new References(rows, share[0]);
    }
}
