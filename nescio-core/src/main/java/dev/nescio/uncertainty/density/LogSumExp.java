// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

/** {@code log sum exp(x)}, shifted by the maximum so that it never overflows. */
public final class LogSumExp {

    private LogSumExp() {}

    public static double of(double... values) {
        double highest = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            highest = Math.max(highest, value);
        }
        double sum = 0;
        for (double value : values) {
            sum += Math.exp(value - highest);
        }
        return highest == Double.NEGATIVE_INFINITY ? highest : highest + Math.log(sum);
    }
}
