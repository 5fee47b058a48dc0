// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;

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

    /** The squared Mahalanobis distance of a row from the mean of a class. */
    public double squaredDistance(DenseMatrix rows, int row, int label) {
        double sum = 0;
        for (int j = 0; j < means[label].length; j++) {
            double difference = rows.get(row, j) - means[label][j];
            sum += difference * difference / variances[label][j];
        }
        return sum;
    }
}
