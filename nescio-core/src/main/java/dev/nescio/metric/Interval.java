// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

/**
 * Where a share may truly lie that was seen as some hits of a number of tries, with 95 % confidence (Wilson 1927).
 *
 * @param low from 0
 * @param high to 1
 */
public record Interval(double low, double high) {

    private static final double TWO_SIDED_95 = 1.96;

    /** The interval for {@code hits} out of {@code tries}; both ends are NaN where nothing was tried. */
    public static Interval of(int hits, int tries) {
        double z = TWO_SIDED_95;
        double p = (double) hits / tries;
        double centre = p + z * z / (2 * tries);
        double spread = z * Math.sqrt(p * (1 - p) / tries + z * z / (4.0 * tries * tries));
        double scale = 1 + z * z / tries;
        return new Interval(Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale));
    }
}
