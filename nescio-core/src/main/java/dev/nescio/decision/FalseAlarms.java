// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A list of unusual nodes of which at most a given share is ordinary, on average (Benjamini and Hochberg 1995). */
public final class FalseAlarms {

    private FalseAlarms() {}

    /** Which nodes to list, by their p-values; nodes without one, NaN, do not count. */
    public static boolean[] bounded(double[] pValues, double share) {
        SortedMap<Double, Long> counts = new TreeMap<>();
        Arrays.stream(pValues).filter(p -> !Double.isNaN(p)).forEach(p -> counts.merge(p, 1L, Long::sum));
        double level = level(counts, share);
        boolean[] flags = new boolean[pValues.length];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = pValues[i] <= level;
        }
        return flags;
    }

    /**
     * The largest p-value of a node that is listed; negative where none is.
     *
     * @param counts how many nodes have each p-value
     */
    public static double level(SortedMap<Double, Long> counts, double share) {
        PValues.requireShare(share);
        long nodes = counts.values().stream().mapToLong(count -> count).sum();
        long sofar = 0;
        double level = -1;
        for (Map.Entry<Double, Long> entry : counts.entrySet()) {
            sofar += entry.getValue();
            level = entry.getKey() <= share * sofar / nodes ? entry.getKey() : level;
        }
        return level;
    }
}
