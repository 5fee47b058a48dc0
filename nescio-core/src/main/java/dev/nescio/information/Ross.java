// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Parallel;
import java.util.Arrays;

/**
 * Mutual information between a label and continuous values by nearest neighbours (Ross 2014): around every sample, the ball
 * that holds k others of its own label; how many of any label lie inside tells how much the values say.
 *
 * <p>It underestimates in many dimensions: give it ten or twenty at most. Distances are Euclidean, in double precision, and
 * are computed once for several labellings.
 */
public final class Ross {

    private static final int GRAIN = 16;

    private final int k;

    /** @param k neighbours of the same label; 3 to 10 */
    public Ross(int k) {
        this.k = k;
    }

    /** Bits, one number per labelling; samples whose label nobody shares do not count. May be below 0 by chance. */
    public double[] estimate(DenseMatrix samples, int[][] labellings) {
        Points points = new Points(samples, 0);
        double[][] terms = new double[labellings.length][points.rows()];
        int[][] sizes = new int[labellings.length][];
        for (int l = 0; l < sizes.length; l++) {
            sizes[l] = sizes(labellings[l]);
        }
        Parallel.ranges(points.rows(), GRAIN, (first, end) -> {
            double[] distances = new double[points.rows()];
            Points.Smallest nearest = new Points.Smallest(k);
            for (int i = (int) first; i < end; i++) {
                points.squaredDistances(i, distances);
                for (int l = 0; l < labellings.length; l++) {
                    terms[l][i] = term(i, distances, labellings[l], sizes[l], nearest);
                }
            }
        });
        double[] bits = new double[labellings.length];
        for (int l = 0; l < bits.length; l++) {
            double[] counted =
                    Arrays.stream(terms[l]).filter(term -> !Double.isNaN(term)).toArray();
            bits[l] = counted.length == 0
                    ? 0
                    : (Digamma.of(counted.length)
                                    + Arrays.stream(counted).average().orElse(0))
                            / Math.log(2);
        }
        return bits;
    }

    private static int[] sizes(int[] labels) {
        int[] sizes = new int[Arrays.stream(labels).max().orElse(-1) + 1];
        for (int label : labels) {
            sizes[label]++;
        }
        return sizes;
    }

    /** {@code psi(k_i) - psi(N of the label) - psi(samples in the ball + 1)}; NaN where nobody shares the label. */
    private static double term(int i, double[] distances, int[] labels, int[] sizes, Points.Smallest nearest) {
        if (sizes[labels[i]] < 2) {
            return Double.NaN;
        }
        nearest.clear();
        for (int j = 0; j < labels.length; j++) {
            if (labels[j] == labels[i] && j != i) {
                nearest.offer(distances[j]);
            }
        }
        double radius = nearest.largest();
        int inside = 0;
        for (int j = 0; j < labels.length; j++) {
            inside += distances[j] < radius && j != i && sizes[labels[j]] > 1 ? 1 : 0;
        }
        return Digamma.of(nearest.size()) - Digamma.of(sizes[labels[i]]) - Digamma.of(inside + 1.0);
    }
}
