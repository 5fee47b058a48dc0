// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

/** Shares of right answers. */
public final class Accuracy {

    private Accuracy() {}

    /** The share of these nodes whose prediction is the label; NaN for no nodes. */
    public static double of(int[] predicted, int[] labels, int[] nodes) {
        int right = 0;
        for (int node : nodes) {
            right += predicted[node] == labels[node] ? 1 : 0;
        }
        return (double) right / nodes.length;
    }
}
