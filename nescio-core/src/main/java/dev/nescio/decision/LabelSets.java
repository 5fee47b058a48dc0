// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import dev.nescio.problem.BadInput;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Sets of labels that hold the true one with a chosen probability (split conformal prediction): all labels whose probability
 * is not smaller than that of the true labels of nearly all held-out nodes. A set may be empty: nothing fits.
 *
 * @param lowest the probability that a label needs
 */
public record LabelSets(double lowest) {

    /**
     * @param ofTruth probability that the network gives to the true label of each held-out node
     * @param alpha how often the true label may be missing
     */
    public static LabelSets of(double[] ofTruth, double alpha) {
        PValues.requireShare(alpha);
        if (ofTruth.length == 0) {
            throw new BadInput("there are no nodes to calibrate on");
        }
        double[] sorted = ofTruth.clone();
        Arrays.sort(sorted);
        int below = (int) Math.floor(alpha * (1 + sorted.length) + 1e-9) - 1;
        return new LabelSets(below < 0 ? 0 : sorted[Math.min(below, sorted.length - 1)]);
    }

    /** The labels of one node. */
    public BitSet of(double[] probabilities) {
        BitSet labels = new BitSet();
        for (int c = 0; c < probabilities.length; c++) {
            labels.set(c, probabilities[c] >= Rounding.below(lowest));
        }
        return labels;
    }
}
