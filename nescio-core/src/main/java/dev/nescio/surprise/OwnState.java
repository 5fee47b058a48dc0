// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Pca;
import dev.nescio.uncertainty.estimator.StoredState;
import java.util.Map;

/**
 * What a node is by itself: its features in few dimensions, and their direction and length.
 *
 * @param mean of the features
 * @param components [features, kept]
 * @param lengths mean length of reduced features, then mean and deviation of the logarithms of lengths
 */
record OwnState(float[] mean, DenseMatrix components, float[] lengths) {

    private static final int MOST_COMPONENTS = 64;
    /** Added to lengths, as a share of their mean, so that a node without features has a logarithm. */
    private static final double FLOOR = 1e-3;

    static OwnState fit(Matrix features) {
        Pca pca = Pca.fit(features, new Keep.Count(MOST_COMPONENTS));
        DenseMatrix reduced = pca.apply(features);
        double meanLength = 0;
        for (int v = 0; v < reduced.rows(); v++) {
            meanLength += length(reduced, v) / reduced.rows();
        }
        double[] logs = new double[reduced.rows()];
        for (int v = 0; v < logs.length; v++) {
            logs[v] = Math.log(Math.max(length(reduced, v) + FLOOR * meanLength, Double.MIN_NORMAL));
        }
        Standard standard = Standard.of(logs);
        return new OwnState(pca.mean(), pca.components(), new float[] {
            (float) meanLength, (float) standard.mean(), (float) standard.deviation()
        });
    }

    /** Features in few dimensions: [nodes, kept]. */
    DenseMatrix reduced(Matrix features) {
        return Pca.apply(features, mean, components);
    }

    /** The direction, scaled so that its entries are about 1, and the standardised logarithm of the length: [nodes, kept + 1]. */
    DenseMatrix directionAndLength(DenseMatrix reduced) {
        int kept = reduced.columns();
        int width = kept + 1;
        float[] values = new float[Math.multiplyExact(reduced.rows(), width)];
        double scale = Math.sqrt(kept);
        for (int v = 0; v < reduced.rows(); v++) {
            double length = length(reduced, v);
            for (int c = 0; c < kept && length > 0; c++) {
                values[v * width + c] = (float) (scale * reduced.get(v, c) / length);
            }
            double log = Math.log(Math.max(length + FLOOR * lengths[0], Double.MIN_NORMAL));
            values[v * width + kept] = (float) ((log - lengths[1]) / lengths[2]);
        }
        return DenseMatrix.of(reduced.rows(), width, values);
    }

    private static double length(DenseMatrix rows, int row) {
        double squares = 0;
        for (int c = 0; c < rows.columns(); c++) {
            squares += (double) rows.get(row, c) * rows.get(row, c);
        }
        return Math.sqrt(squares);
    }

    void save(Map<String, NdArray> state) {
        state.put("own.mean", new NdArray.Floats(new int[] {mean.length}, mean));
        state.put("own.components", NdArray.of(components));
        state.put("own.lengths", new NdArray.Floats(new int[] {lengths.length}, lengths));
    }

    static OwnState load(Map<String, NdArray> state) {
        OwnState own = new OwnState(
                StoredState.floats(state, "own.mean"),
                StoredState.matrix(state, "own.components"),
                StoredState.floats(state, "own.lengths"));
        StoredState.require(
                own.components.rows() == own.mean.length && own.lengths.length == 3 && own.lengths[2] > 0,
                "the shapes of 'own.*' do not fit together");
        return own;
    }
}
