// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import java.util.Arrays;
import java.util.stream.IntStream;

/** A list of unusual nodes of which at most a given share is ordinary, on average (Benjamini and Hochberg 1995). */
public final class FalseAlarms {

    private FalseAlarms() {}

    /** Which nodes to list, by their p-values; nodes without one, NaN, do not count. */
    public static boolean[] bounded(double[] pValues, double share) {
        PValues.requireShare(share);
        int[] order = IntStream.range(0, pValues.length)
                .filter(i -> !Double.isNaN(pValues[i]))
                .boxed()
                .sorted((a, b) -> Double.compare(pValues[a], pValues[b]))
                .mapToInt(i -> i)
                .toArray();
        int listed = 0;
        for (int i = 0; i < order.length; i++) {
            if (pValues[order[i]] <= share * (i + 1) / order.length) {
                listed = i + 1;
            }
        }
        boolean[] flags = new boolean[pValues.length];
        Arrays.stream(order).limit(listed).forEach(node -> flags[node] = true);
        return flags;
    }
}
