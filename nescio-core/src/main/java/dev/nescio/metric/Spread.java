// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import java.util.stream.DoubleStream;

/**
 * Several runs of the same thing in two numbers.
 *
 * @param mean of the runs; NaN for none
 * @param std their standard deviation with n - 1 in the denominator; 0 for one run
 * @param runs how many
 */
public record Spread(double mean, double std, int runs) {

    /** The mean and the standard deviation of some values, one per run; the stream is read to its end. */
    public static Spread of(DoubleStream values) {
        double[] all = values.toArray();
        double mean = DoubleStream.of(all).average().orElse(Double.NaN);
        double squares = DoubleStream.of(all).map(v -> (v - mean) * (v - mean)).sum();
        return new Spread(mean, all.length < 2 ? 0 : Math.sqrt(squares / (all.length - 1)), all.length);
    }

    /** In units of another number. */
    public Spread over(double unit) {
        return Double.isFinite(unit) ? new Spread(mean / unit, std / unit, runs) : new Spread(Double.NaN, 0, 0);
    }
}
