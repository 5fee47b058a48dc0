// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

/** The logarithmic derivative of the gamma function, for positive numbers. */
final class Digamma {

    /** From here on the series has converged. */
    private static final double LARGE = 10;

    private Digamma() {}

    static double of(double x) {
        double sum = 0;
        double at = x;
        for (; at < LARGE; at++) {
            sum -= 1 / at;
        }
        double inverse = 1 / (at * at);
        return sum
                + Math.log(at)
                - 0.5 / at
                - inverse
                        * (1.0 / 12
                                - inverse
                                        * (1.0 / 120 - inverse * (1.0 / 252 - inverse * (1.0 / 240 - inverse / 132))));
    }
}
