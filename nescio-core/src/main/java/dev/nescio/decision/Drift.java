// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import java.util.Arrays;

/**
 * Whether the scores of a batch of nodes look like those of the ordinary nodes of a calibration.
 *
 * @param nodes of the batch
 * @param flagged how many of them are above the threshold
 * @param distance between the distributions of the scores of both, at most 1 (Kolmogorov-Smirnov, two samples)
 * @param pDistribution how often ordinary batches are at least so far away
 * @param pFlagged how often ordinary batches have at least so many flagged nodes
 */
public record Drift(int nodes, int flagged, double distance, double pDistribution, double pFlagged) {

    /** @param alpha share of ordinary nodes that are flagged */
    public static Drift of(PValues ordinary, double[] batch, double alpha) {
        double threshold = ordinary.threshold(alpha);
        int flagged =
                (int) Arrays.stream(batch).filter(score -> score > threshold).count();
        TwoSample.Gap gap = TwoSample.gap(ordinary.calibration(), batch);
        return new Drift(
                batch.length,
                flagged,
                gap.distance(),
                gap.pValue(),
                atLeast(flagged, batch.length, ordinary.size(), alpha));
    }

    /** The share of the batch that lies above the threshold, 0 to 1; NaN for an empty batch. */
    public double flaggedShare() {
        return (double) flagged / nodes;
    }

    /** Whether one of two tests says so; each may be wrong half as often as the level allows. */
    public boolean isAbove(double level) {
        PValues.requireShare(level);
        return Math.min(pDistribution, pFlagged) <= level / 2;
    }

    /**
     * How often a batch of ordinary nodes has at least so many flagged ones. The threshold lies at a rank of the calibration, so
     * that the count is beta-binomial: binomial around a share that is itself not exactly alpha.
     */
    private static double atLeast(int flagged, int nodes, int calibration, double alpha) {
        int above = (int) Math.floor(alpha * (1 + calibration) + 1e-9);
        if (above < 1) {
            return 1;
        }
        double a = above;
        double b = calibration + 1.0 - above;
        double sum = 0;
        for (int k = flagged; k <= nodes; k++) {
            sum += Math.exp(LogGamma.choose(nodes, k) + LogGamma.beta(k + a, nodes - k + b) - LogGamma.beta(a, b));
        }
        return Math.min(1, sum);
    }
}
