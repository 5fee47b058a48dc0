// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.tensor.TensorRows;

/**
 * One Gaussian with a diagonal covariance per class: maximum-likelihood mean and biased variance of the class's rows. A
 * class without rows has none.
 *
 * @param counts rows per class
 * @param means [classes][columns]
 * @param variances [classes][columns], repaired: all above 1e-6
 */
public record ClassGaussians(int[] counts, double[][] means, double[][] variances) {

    private static final double SMALLEST_VARIANCE = 1e-6;
    private static final double FIRST_REPAIR = 1e-8;

    /** Fits on rows and their labels, 0 .. classes - 1. */
    public static ClassGaussians fit(DenseMatrix rows, int[] labels, int classes) {
        int columns = rows.columns();
        int[] counts = new int[classes];
        double[][] means = new double[classes][columns];
        double[][] variances = new double[classes][columns];
        for (int i = 0; i < labels.length; i++) {
            counts[labels[i]]++;
            for (int j = 0; j < columns; j++) {
                means[labels[i]][j] += rows.get(i, j);
            }
        }
        for (int c = 0; c < classes; c++) {
            for (int j = 0; j < columns; j++) {
                means[c][j] /= Math.max(1, counts[c]);
            }
        }
        for (int i = 0; i < labels.length; i++) {
            for (int j = 0; j < columns; j++) {
                double difference = rows.get(i, j) - means[labels[i]][j];
                variances[labels[i]][j] += difference * difference / counts[labels[i]];
            }
        }
        for (double[] variance : variances) {
            repair(variance);
        }
        return new ClassGaussians(counts, means, variances);
    }

    /** Adds 1e-8, then 1e-7, 1e-6, ... to every entry until all exceed 1e-6. */
    private static void repair(double[] variance) {
        for (double add = FIRST_REPAIR; !allLargeEnough(variance); add *= 10) {
            for (int j = 0; j < variance.length; j++) {
                variance[j] += add;
            }
        }
    }

    private static boolean allLargeEnough(double[] variance) {
        for (double v : variance) {
            if (v <= SMALLEST_VARIANCE) {
                return false;
            }
        }
        return true;
    }

    public int classes() {
        return counts.length;
    }

    /**
     * The squared Mahalanobis distances of some rows from the mean of every class, row by row: [count * classes]. From two products
     * in doubles, {@code x^2 (1/v) - 2 x (m/v) + sum of m^2 / v}, around the mean of all classes, so that few digits are lost.
     */
    public double[] squaredDistances(Matrix rows, int from, int count) {
        int columns = means[0].length;
        double[] middle = middle();
        double[] weights = new double[columns * classes()];
        double[] slopes = new double[columns * classes()];
        double[] offsets = new double[classes()];
        for (int c = 0; c < classes(); c++) {
            for (int j = 0; j < columns; j++) {
                double centre = means[c][j] - middle[j];
                weights[j * classes() + c] = 1 / variances[c][j];
                slopes[j * classes() + c] = -2 * centre / variances[c][j];
                offsets[c] += centre * centre / variances[c][j];
            }
        }
        return Scope.run(() -> {
            Tensor x = TensorRows.of(rows, from, count).toDouble().minus(Tensor.of(middle, columns));
            return x.times(x)
                    .product(Tensor.of(weights, columns, classes()))
                    .plus(x.product(Tensor.of(slopes, columns, classes())))
                    .plus(Tensor.of(offsets, classes()))
                    .clamp(0, Double.MAX_VALUE)
                    .toDoubles();
        });
    }

    private double[] middle() {
        double[] middle = new double[means[0].length];
        for (double[] mean : means) {
            for (int j = 0; j < middle.length; j++) {
                middle[j] += mean[j] / means.length;
            }
        }
        return middle;
    }
}
