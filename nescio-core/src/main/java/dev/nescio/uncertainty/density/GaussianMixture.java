// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;

/** A mixture of one Gaussian per class: {@code log p(z) = logsumexp_c(log prior_c + log N(z; mean_c, variance_c))}. */
public final class GaussianMixture {

    private final ClassGaussians gaussians;
    private final double[] offsets;

    /** @param empiricalPriors whether a class weighs as its share of the training rows, rather than all alike */
    public GaussianMixture(ClassGaussians gaussians, boolean empiricalPriors) {
        this.gaussians = gaussians;
        this.offsets = new double[gaussians.classes()];
        int total = 0;
        int present = 0;
        for (int count : gaussians.counts()) {
            total += count;
            present += count > 0 ? 1 : 0;
        }
        for (int c = 0; c < offsets.length; c++) {
            double prior = empiricalPriors ? (double) gaussians.counts()[c] / total : 1.0 / present;
            double logDeterminant = 0;
            for (double variance : gaussians.variances()[c]) {
                logDeterminant += Math.log(2 * Math.PI * variance);
            }
            offsets[c] = gaussians.counts()[c] == 0 ? Double.NEGATIVE_INFINITY : Math.log(prior) - logDeterminant / 2;
        }
    }

    /** {@code -log p} of every row. */
    public double[] negativeLogDensity(DenseMatrix rows) {
        double[] scores = new double[rows.rows()];
        double[] distances = gaussians.squaredDistances(rows, 0, scores.length);
        double[] terms = new double[offsets.length];
        for (int i = 0; i < scores.length; i++) {
            for (int c = 0; c < terms.length; c++) {
                boolean isThere = offsets[c] > Double.NEGATIVE_INFINITY;
                terms[c] = isThere ? offsets[c] - distances[i * terms.length + c] / 2 : offsets[c];
            }
            scores[i] = -LogSumExp.of(terms);
        }
        return scores;
    }
}
