// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Parallel;
import java.util.Arrays;

/**
 * Mutual information between two sets of continuous values by nearest neighbours (Kraskov, Stögbauer and Grassberger 2004,
 * the first of their estimators). Where one is a function of the other the truth is infinite, and this measures only how many
 * samples there are: add noise first.
 */
public final class Ksg {

    private static final int GRAIN = 16;

    private final int k;

    /** @param k neighbours; 3 to 10 */
    public Ksg(int k) {
        this.k = k;
    }

    /** Bits; may be below 0 by chance. */
    public double estimate(DenseMatrix x, DenseMatrix y) {
        if (x.rows() != y.rows() || x.rows() <= k) {
            throw new IllegalArgumentException(
                    "expected the same number of samples, more than " + k + ", got " + x.rows() + " and " + y.rows());
        }
        Points left = new Points(x, 1);
        Points right = new Points(y, 2);
        double[] terms = new double[x.rows()];
        Parallel.ranges(x.rows(), GRAIN, (first, end) -> {
            double[] inX = new double[x.rows()];
            double[] inY = new double[x.rows()];
            Points.Smallest nearest = new Points.Smallest(k);
            for (int i = (int) first; i < end; i++) {
                left.maximumDistances(i, inX);
                right.maximumDistances(i, inY);
                nearest.clear();
                for (int j = 0; j < inX.length; j++) {
                    if (j != i) {
                        nearest.offer(Math.max(inX[j], inY[j]));
                    }
                }
                double radius = nearest.largest();
                int closeInX = 0;
                int closeInY = 0;
                for (int j = 0; j < inX.length; j++) {
                    closeInX += inX[j] < radius && j != i ? 1 : 0;
                    closeInY += inY[j] < radius && j != i ? 1 : 0;
                }
                terms[i] = Digamma.of(closeInX + 1.0) + Digamma.of(closeInY + 1.0);
            }
        });
        double mean = Arrays.stream(terms).average().orElseThrow();
        return (Digamma.of(x.rows()) + Digamma.of(k) - mean) / Math.log(2);
    }
}
