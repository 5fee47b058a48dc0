// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import java.util.Arrays;

/** Places in a contest. */
public final class Ranks {

    private Ranks() {}

    /** The place of every value, 1 for the largest; equal values share the mean of their places; NaN has none. */
    public static double[] of(double... values) {
        return Arrays.stream(values)
                .map(value -> {
                    double above = Arrays.stream(values).filter(v -> v > value).count();
                    double equal = Arrays.stream(values).filter(v -> v == value).count();
                    return equal == 0 ? Double.NaN : above + (equal + 1) / 2;
                })
                .toArray();
    }

    /** The paper's average over shifts: classes left out count half, near and far noise a quarter each. */
    public static double average(double leftOut, double near, double far) {
        return 0.5 * leftOut + 0.25 * near + 0.25 * far;
    }
}
