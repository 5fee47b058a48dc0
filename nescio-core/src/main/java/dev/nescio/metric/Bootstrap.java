// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import dev.nescio.random.Rng;
import java.util.Arrays;

/** How sure a mean over runs is, by drawing runs again with replacement. */
public final class Bootstrap {

    private static final int DRAWS = 2000;
    private static final double TAIL = 0.025;

    private Bootstrap() {}

    /** Where 95 % of the means lie. */
    public record Interval(double low, double high) {}

    /** Of the mean of some runs; one point for one run, NaN for none. */
    public static Interval ofMean(double... runs) {
        if (runs.length == 0) {
            return new Interval(Double.NaN, Double.NaN);
        }
        Rng rng = new Rng(0);
        double[] means = new double[DRAWS];
        Arrays.setAll(means, d -> {
            double sum = 0;
            for (int i = 0; i < runs.length; i++) {
                sum += runs[rng.nextInt(runs.length)];
            }
            return sum / runs.length;
        });
        Arrays.sort(means);
        return new Interval(means[(int) (TAIL * DRAWS)], means[(int) ((1 - TAIL) * DRAWS) - 1]);
    }
}
