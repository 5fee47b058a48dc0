// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import java.util.Arrays;

/**
 * Whether a batch of nodes looks like the ordinary nodes of a calibration.
 *
 * @param nodes of the batch
 * @param flagged how many of them are above the threshold
 * @param distance between the distributions of the scores of both, at most 1 (Kolmogorov-Smirnov, two samples)
 * @param pDistribution how often ordinary batches are at least so far away
 * @param pFlagged how often ordinary batches have at least so many flagged nodes
 */
public record Drift(int nodes, int flagged, double distance, double pDistribution, double pFlagged) {

    private static final int TERMS = 100;

    /** @param alpha share of ordinary nodes that are flagged */
    public static Drift of(PValues ordinary, double[] batch, double alpha) {
        double threshold = ordinary.threshold(alpha);
        int flagged =
                (int) Arrays.stream(batch).filter(score -> score > threshold).count();
        double distance = distance(ordinary.calibration(), batch);
        return new Drift(
                batch.length,
                flagged,
                distance,
                tail(distance, ordinary.size(), batch.length),
                atLeast(flagged, batch.length, ordinary.size(), alpha));
    }

    public double flaggedShare() {
        return (double) flagged / nodes;
    }

    /** Whether one of two tests says so; each may be wrong half as often as the level allows. */
    public boolean isAbove(double level) {
        PValues.requireShare(level);
        return Math.min(pDistribution, pFlagged) <= level / 2;
    }

    private static double distance(double[] sorted, double[] batch) {
        double[] other = batch.clone();
        Arrays.sort(other);
        double largest = 0;
        int i = 0;
        int j = 0;
        while (i < sorted.length && j < other.length) {
            double value = Math.min(sorted[i], other[j]);
            while (i < sorted.length && sorted[i] <= value) {
                i++;
            }
            while (j < other.length && other[j] <= value) {
                j++;
            }
            largest = Math.max(largest, Math.abs((double) i / sorted.length - (double) j / other.length));
        }
        return largest;
    }

    /** Of the limiting distribution of Kolmogorov, with Stephens' correction for small samples. */
    private static double tail(double distance, int first, int second) {
        double size = Math.sqrt((double) first * second / ((double) first + second));
        double x = (size + 0.12 + 0.11 / size) * distance;
        if (x < 0.2) {
            return 1;
        }
        double sum = 0;
        for (int k = 1; k <= TERMS; k++) {
            sum += (k % 2 == 1 ? 2 : -2) * Math.exp(-2.0 * k * k * x * x);
        }
        return Math.max(0, Math.min(1, sum));
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
            sum += Math.exp(logChoose(nodes, k) + logBeta(k + a, nodes - k + b) - logBeta(a, b));
        }
        return Math.min(1, sum);
    }

    private static double logChoose(int n, int k) {
        return logGamma(n + 1.0) - logGamma(k + 1.0) - logGamma(n - k + 1.0);
    }

    private static double logBeta(double a, double b) {
        return logGamma(a) + logGamma(b) - logGamma(a + b);
    }

    /** Stirling's series, after shifting the argument to where it is exact enough. */
    private static double logGamma(double x) {
        double shift = 0;
        double z = x;
        while (z < 10) {
            shift -= Math.log(z);
            z++;
        }
        double inverse = 1 / (z * z);
        double series = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse / 1680))) / z;
        return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series;
    }
}
