// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

/** Logarithms of factorials and their relatives. */
final class LogGamma {

    private LogGamma() {}

    static double choose(int n, int k) {
        return of(n + 1.0) - of(k + 1.0) - of(n - k + 1.0);
    }

    static double beta(double a, double b) {
        return of(a) + of(b) - of(a + b);
    }

    /** Stirling's series, after shifting the argument to where it is exact enough. */
    static double of(double x) {
        double shift = 0;
        double z = x;
        while (z < 10) {
            shift -= Math.log(z);
            z++;
        }
        double inverse = 1 / (z * z);
        double series = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse / 1680))) / z;
        return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series;
    }
}
