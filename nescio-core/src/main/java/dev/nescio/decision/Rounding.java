// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

/**
 * Numbers that differ by a smaller share than a hundred-thousandth are the same: another processor, or another order of sums, rounds
 * otherwise, and a node that was calibrated on must count as itself everywhere.
 */
public final class Rounding {

    private static final double SAME = 1e-5;

    private Rounding() {}

    /** Whatever is smaller than this is not the same as x. */
    public static double below(double x) {
        return Double.isInfinite(x) ? x : x - SAME * Math.abs(x);
    }

    /** The number that x is just {@link #below}: whatever is larger is not the same as x. */
    public static double above(double x) {
        return x / (x < 0 ? 1 + SAME : 1 - SAME);
    }
}
