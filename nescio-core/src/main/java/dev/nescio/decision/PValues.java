// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.Arrays;

/**
 * Conformal p-values: how large a share of ordinary nodes is at least as uncertain as a node. Ordinary are nodes that the
 * network has not learned from, validation nodes as a rule; training nodes would not do, they are their own nearest
 * neighbours. For an ordinary node the p-value is at most alpha with a probability of at most alpha, whatever the scores are.
 */
public final class PValues {

    private final double[] calibration;

    private PValues(double[] sorted) {
        this.calibration = sorted;
    }

    /** @param ordinary scores of held-out ordinary nodes, larger = more uncertain */
    public static PValues calibratedOn(double... ordinary) {
        if (ordinary.length == 0) {
            throw new BadInput("there are no nodes to calibrate on");
        }
        double[] sorted = ordinary.clone();
        for (int i = 0; i < sorted.length; i++) {
            if (Double.isNaN(sorted[i])) {
                throw new BadInput("calibration score " + i + " is not a number");
            }
        }
        Arrays.sort(sorted);
        return new PValues(sorted);
    }

    /** The number of ordinary nodes that it was calibrated on, at least 1. */
    public int size() {
        return calibration.length;
    }

    /** The scores that it was made from, ascending. */
    public double[] calibration() {
        return calibration.clone();
    }

    /** {@code (1 + ordinary nodes with at least this score) / (1 + ordinary nodes)}. */
    public double of(double score) {
        return (1.0 + calibration.length - below(score)) / (1 + calibration.length);
    }

    /** The p-value of each score, in the same order; each is above 0 and at most 1. A score that is NaN gets 1. */
    public double[] ofAll(double[] scores) {
        return Arrays.stream(scores).map(this::of).toArray();
    }

    /** How many ordinary nodes have a smaller score. */
    private int below(double given) {
        double score = Rounding.below(given);
        int low = 0;
        int high = calibration.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (calibration[middle] < score) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Scores above this have a p-value of at most alpha, others have not; infinite where there are too few ordinary nodes to
     * call any score unusual at this level.
     */
    public double threshold(double alpha) {
        requireShare(alpha);
        // At most this many ordinary nodes may be at least as uncertain.
        int allowed = (int) Math.floor(alpha * (1 + calibration.length) + 1e-9) - 1;
        if (allowed < 0) {
            return Double.POSITIVE_INFINITY;
        }
        return Rounding.above(calibration[Math.max(0, calibration.length - 1 - allowed)]);
    }

    /** The smallest level at which anything can be flagged. */
    public double smallestAlpha() {
        return 1.0 / (1 + calibration.length);
    }

    /** Whether the share of ordinary nodes that a threshold really flags may be twice the level, or more. */
    public boolean areFewFor(double alpha) {
        return deviation(alpha) > alpha / 2;
    }

    /** How large the share of ordinary nodes may be that a threshold really flags: two standard deviations above the level. */
    public double highestShare(double alpha) {
        return alpha + 2 * deviation(alpha);
    }

    /** The share of ordinary nodes above a threshold from n of them varies like a Beta distribution. */
    private double deviation(double alpha) {
        return Math.sqrt(alpha * (1 - alpha) / (calibration.length + 2));
    }

    static void requireShare(double alpha) {
        if (!(alpha > 0 && alpha < 1)) {
            throw new BadConfiguration("a level must lie between 0 and 1, got " + alpha);
        }
    }
}
