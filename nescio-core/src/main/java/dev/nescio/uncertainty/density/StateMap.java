// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.tensor.TensorRows;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What fit time has learned about one hidden state: {@code z = ((x - mean) V) * scale}.
 *
 * @param mean [columns]
 * @param components V, [columns, kept]; null keeps the columns as they are
 * @param scale [kept]
 */
public record StateMap(float[] mean, @Nullable DenseMatrix components, float[] scale) {

    public static StateMap fit(Matrix state, Keep keep, Scaling scaling) {
        StateMap plain = unscaled(state, keep.of(state.columns()));
        if (scaling == Scaling.NONE) {
            return plain;
        }
        Spread spread = plain.new Spread();
        spread.add(state);
        return spread.scaled(scaling);
    }

    /** Of rows that came block by block; nothing is scaled. */
    static StateMap of(Moments moments, Keep keep) {
        if (keep.of(moments.columns()) instanceof Keep.Everything) {
            return new StateMap(moments.mean(), null, ones(moments.columns()));
        }
        Pca pca = Pca.of(moments, keep.of(moments.columns()));
        return new StateMap(pca.mean(), pca.components(), ones(pca.components().columns()));
    }

    private static StateMap unscaled(Matrix state, Keep keep) {
        if (keep instanceof Keep.Everything) {
            // Distances do not change when everything moves; centred, they lose fewer digits.
            float[] mean = Scope.run(() -> Pca.mean(state).toFloats());
            return new StateMap(mean, null, ones(mean.length));
        }
        Pca pca = Pca.fit(state, keep);
        return new StateMap(pca.mean(), pca.components(), ones(pca.components().columns()));
    }

    /** Columns of the result. */
    public int dimensions() {
        return scale.length;
    }

    /** [count, columns] to [count, kept] */
    Tensor apply(Tensor rows) {
        Tensor centred = rows.minus(Tensor.of(mean, mean.length));
        Tensor reduced = components == null ? centred : centred.product(Tensor.of(components));
        return isOne() ? reduced : reduced.times(Tensor.of(scale, scale.length));
    }

    private boolean isOne() {
        for (float factor : scale) {
            if (factor != 1) {
                return false;
            }
        }
        return true;
    }

    /** How far rows lie from the mean of all, summed up. */
    final class Spread {

        private final double[] squares = new double[scale.length];
        private double distances;
        private long rows;

        void add(Matrix state) {
            rows += state.rows();
            Blocks.forEach(
                    state.rows(),
                    Blocks.ROWS,
                    (from, count) -> Scope.run(() -> {
                        Tensor z = apply(TensorRows.of(state, from, count)).toDouble();
                        Pca.add(squares, z.times(z).sumOverRows().toDoubles());
                        for (double squared : z.squaredRowNorms().toDoubles()) {
                            distances += Math.sqrt(squared);
                        }
                    }));
        }

        /** The map divided by the spread; a state or dimension without any keeps its scale. */
        StateMap scaled(Scaling scaling) {
            float[] scales = new float[scale.length];
            for (int j = 0; j < scales.length; j++) {
                double spread = scaling == Scaling.ISOTROPIC ? Math.sqrt(squares[j] / (rows - 1)) : distances / rows;
                scales[j] = spread > 0 && Double.isFinite(spread) ? (float) (1 / spread) : 1;
            }
            return new StateMap(mean, components, scales);
        }
    }

    private static float[] ones(int length) {
        float[] ones = new float[length];
        Arrays.fill(ones, 1);
        return ones;
    }
}
