// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import java.util.Arrays;

/** Whether two samples of one quantity may come from the same source: p-values, small where that is unlikely. */
public final class TwoSample {

    private static final int TERMS = 100;

    private TwoSample() {}

    /**
     * The largest gap between the shares of both samples below a value, and how often it is at least so large.
     *
     * @param distance from 0 to 1
     */
    public record Gap(double distance, double pValue) {}

    /** Kolmogorov and Smirnov's test. With ties the p-value is too large rather than too small. */
    public static Gap gap(double[] first, double[] second) {
        double distance = distance(sorted(first), sorted(second));
        return new Gap(distance, tail(distance, first.length, second.length));
    }

    private static double[] sorted(double[] values) {
        double[] copy = values.clone();
        Arrays.sort(copy);
        return copy;
    }

    private static double distance(double[] first, double[] second) {
        double largest = 0;
        int i = 0;
        int j = 0;
        while (i < first.length && j < second.length) {
            double value = Math.min(first[i], second[j]);
            while (i < first.length && first[i] <= value) {
                i++;
            }
            while (j < second.length && second[j] <= value) {
                j++;
            }
            largest = Math.max(largest, Math.abs((double) i / first.length - (double) j / second.length));
        }
        return largest;
    }

    /** Of the limiting distribution of Kolmogorov, with Stephens' correction for small samples. */
    private static double tail(double distance, int first, int second) {
        double size = Math.sqrt((double) first * second / ((double) first + second));
        double x = (size + 0.12 + 0.11 / size) * distance;
        if (x < 0.2) {
            return 1;
        }
        double sum = 0;
        for (int k = 1; k <= TERMS; k++) {
            sum += (k % 2 == 1 ? 2 : -2) * Math.exp(-2.0 * k * k * x * x);
        }
        return Math.max(0, Math.min(1, sum));
    }

    /**
     * Fisher's exact test: how often shares are at least as unlikely as {@code hits} of {@code nodes} beside {@code others} of
     * {@code otherNodes}, both being drawn alike.
     */
    public static double shares(int hits, int nodes, int others, int otherNodes) {
        int all = hits + others;
        double observed = table(hits, nodes, all, otherNodes);
        double sum = 0;
        for (int k = Math.max(0, all - otherNodes); k <= Math.min(nodes, all); k++) {
            double probability = table(k, nodes, all, otherNodes);
            sum += probability <= observed * (1 + 1e-9) ? probability : 0;
        }
        return Math.min(1, sum);
    }

    private static double table(int hits, int nodes, int all, int otherNodes) {
        return Math.exp(LogGamma.choose(nodes, hits)
                + LogGamma.choose(otherNodes, all - hits)
                - LogGamma.choose(nodes + otherNodes, all));
    }

    /** One p-value for several tests, of which any may speak: Simes' {@code min_i m p_(i) / i}. */
    public static double any(double[] pValues) {
        double[] sorted = sorted(pValues);
        double least = 1;
        for (int i = 0; i < sorted.length; i++) {
            least = Math.min(least, sorted[i] * sorted.length / (i + 1));
        }
        return least;
    }
}
