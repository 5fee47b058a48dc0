// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

/** Mean and deviation of some numbers; the deviation is 1 where they do not differ. */
record Standard(double mean, double deviation) {

    static Standard of(double[] values) {
        double mean = 0;
        for (double value : values) {
            mean += value / values.length;
        }
        double variance = 0;
        for (double value : values) {
            variance += (value - mean) * (value - mean) / values.length;
        }
        double deviation = Math.sqrt(variance);
        return new Standard(mean, deviation > 1e-9 * Math.max(1, Math.abs(mean)) ? deviation : 1);
    }

    double apply(double value) {
        return (value - mean) / deviation;
    }
}
