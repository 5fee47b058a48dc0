// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.tensor.TensorRows;

/**
 * Principal components of a matrix: {@code z = (x - mean) V}, V the eigenvectors of the covariance by falling variance.
 * Nothing is whitened.
 *
 * @param mean of each column
 * @param components V, [columns, kept]
 * @param cumulativeShare of the variance that the first 1, 2, ... components explain, over all of them
 */
public record Pca(float[] mean, DenseMatrix components, double[] cumulativeShare) {

    /** A square matrix of this side is decomposed in a minute or so. */
    private static final int LARGEST_SIDE = 8192;

    /**
     * Fits on all rows. The covariance is summed by blocks of rows; where there are more columns than rows, the smaller
     * Gram matrix is decomposed instead.
     */
    public static Pca fit(Matrix x, Keep keep) {
        if (Math.min(x.rows(), x.columns()) > LARGEST_SIDE) {
            throw new BadConfiguration("principal components of " + x.rows() + " x " + x.columns()
                    + " numbers are too many to decompose; the limit is " + LARGEST_SIDE + " rows or columns");
        }
        return Scope.run(() -> {
            Tensor mean = mean(x);
            return x.columns() <= x.rows() ? byCovariance(x, mean, keep) : byGram(x, mean, keep);
        });
    }

    /** Rows in these components: [rows, columns] to [rows, kept]. */
    public DenseMatrix apply(Matrix x) {
        return apply(x, mean, components);
    }

    /** The same with what was kept of principal components. */
    public static DenseMatrix apply(Matrix x, float[] mean, DenseMatrix components) {
        int kept = components.columns();
        float[] reduced = new float[Math.multiplyExact(x.rows(), kept)];
        Blocks.forEach(
                x.rows(),
                Blocks.ROWS,
                (from, count) -> Scope.run(() -> {
                    Tensor centred = TensorRows.of(x, from, count).minus(Tensor.of(mean, mean.length));
                    float[] rows = centred.product(Tensor.of(components)).toFloats();
                    System.arraycopy(rows, 0, reduced, from * kept, rows.length);
                }));
        return DenseMatrix.of(x.rows(), kept, reduced);
    }

    static Tensor mean(Matrix x) {
        double[] sums = new double[x.columns()];
        Blocks.forEach(
                x.rows(),
                Blocks.ROWS,
                (from, count) -> Scope.run(() ->
                        add(sums, TensorRows.of(x, from, count).sumOverRows().toDoubles())));
        float[] mean = new float[sums.length];
        for (int j = 0; j < mean.length; j++) {
            mean[j] = (float) (sums[j] / x.rows());
        }
        return Tensor.of(mean, mean.length);
    }

    private static Pca byCovariance(Matrix x, Tensor mean, Keep keep) {
        double[] covariance = new double[x.columns() * x.columns()];
        Blocks.forEach(
                x.rows(),
                Blocks.ROWS,
                (from, count) -> Scope.run(() -> {
                    Tensor centred = TensorRows.of(x, from, count).minus(mean);
                    add(covariance, centred.lowerGram().toDoubles());
                }));
        return decomposed(covariance, mean.toFloats(), keep);
    }

    private static Pca decomposed(double[] covariance, float[] mean, Keep keep) {
        int columns = mean.length;
        Tensor.Eigen eigen = Tensor.of(covariance, columns, columns).symmetricEigen();
        double[] variances = falling(eigen.values());
        int kept = kept(variances, keep, columns);
        return new Pca(mean, lastColumns(eigen.vectors(), kept), cumulative(variances));
    }

    /** Of rows that came block by block. */
    static Pca of(Moments moments, Keep keep) {
        if (moments.columns() > LARGEST_SIDE) {
            throw new BadConfiguration("principal components of " + moments.columns()
                    + " columns are too many to decompose; the limit is " + LARGEST_SIDE);
        }
        return Scope.run(() -> decomposed(moments.scatter(), moments.mean(), keep));
    }

    /** The eigenvectors of X X' are U; those of X'X are X'U, scaled to length 1. */
    private static Pca byGram(Matrix x, Tensor mean, Keep keep) {
        Tensor centred = TensorRows.of(x, 0, x.rows()).minus(mean).toDouble();
        Tensor.Eigen eigen = centred.product(centred.transposed()).symmetricEigen();
        double[] variances = falling(eigen.values());
        int kept = Math.min(kept(variances, keep, x.columns()), x.rows());
        Tensor directions = centred.transposed().product(eigen.vectors());
        double[] scale = new double[x.rows()];
        for (int i = 0; i < scale.length; i++) {
            double variance = variances[scale.length - 1 - i];
            boolean isNoise = variance <= 1e-12 * variances[0];
            scale[i] = isNoise ? 0 : 1 / Math.sqrt(variance);
        }
        Tensor unit = directions.times(Tensor.of(scale, 1, scale.length));
        return new Pca(mean.toFloats(), lastColumns(unit, kept), cumulative(variances));
    }

    static void add(double[] sums, double[] more) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += more[i];
        }
    }

    private static double[] falling(Tensor rising) {
        double[] values = rising.toDoubles();
        double[] falling = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            falling[i] = Math.max(0, values[values.length - 1 - i]);
        }
        return falling;
    }

    private static double[] cumulative(double[] variances) {
        double total = 0;
        for (double variance : variances) {
            total += variance;
        }
        double[] shares = new double[variances.length];
        double sum = 0;
        for (int i = 0; i < shares.length; i++) {
            sum += variances[i];
            shares[i] = sum / total;
        }
        return shares;
    }

    /** The paper's rule for a share: the number of cumulative shares below it, plus one. */
    private static int kept(double[] variances, Keep keep, int columns) {
        if (keep instanceof Keep.Share share) {
            int below = 0;
            for (double cumulative : cumulative(variances)) {
                below += cumulative < share.share() ? 1 : 0;
            }
            return Math.min(below + 1, columns);
        }
        return keep instanceof Keep.Count count ? Math.min(count.count(), columns) : columns;
    }

    /** The last columns in reverse order, as floats. */
    private static DenseMatrix lastColumns(Tensor vectors, int kept) {
        double[] all = vectors.toDoubles();
        int rows = vectors.rows();
        int columns = vectors.columns();
        float[] chosen = new float[rows * kept];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < kept; j++) {
                chosen[i * kept + j] = (float) all[i * columns + columns - 1 - j];
            }
        }
        return DenseMatrix.of(rows, kept, chosen);
    }
}
