// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

/**
 * How rare a number is among known ones: {@code -log p}, p the share of numbers that are at least as large. Among the largest tenth p
 * comes from a generalised Pareto distribution (Pickands 1975): ranks alone could not tell the largest number from one that is a
 * hundred times larger. Its shape and scale come from the lower three quarters of that tenth, so that outliers do not widen it.
 */
final class Rarity {

    private static final double TAIL = 0.1;
    /** Fewer numbers in the tail than this do not tell its shape. */
    private static final int ENOUGH = 20;

    private static final double HEAVIEST = 1;
    private static final double LIGHTEST = 1e-3;

    private final float[] ascending;
    private final double begin;
    private final double shape;
    private final double scale;

    /** @param ascending the known numbers */
    Rarity(float[] ascending) {
        this.ascending = ascending;
        int tail = (int) (TAIL * ascending.length);
        int first = ascending.length - tail;
        double half = tail < ENOUGH ? 0 : ascending[first + tail / 2] - (double) ascending[first];
        double quarter = tail < ENOUGH ? 0 : ascending[first + tail * 3 / 4] - (double) ascending[first];
        if (half > 0 && quarter > half) {
            double doubling = Math.log((quarter - half) / half) / Math.log(2);
            this.shape = Math.min(HEAVIEST, Math.max(LIGHTEST, doubling));
            this.scale = shape * half / (Math.pow(2, shape) - 1);
            this.begin = ascending[first];
        } else {
            this.shape = 0;
            this.scale = 0;
            this.begin = Double.POSITIVE_INFINITY;
        }
    }

    float[] ascending() {
        return ascending;
    }

    double of(float value) {
        if (value > begin) {
            return -Math.log(TAIL) + Math.log1p(shape * (value - begin) / scale) / shape;
        }
        int larger = ascending.length - firstAtLeast(value);
        return -Math.log((larger + 1.0) / (ascending.length + 1.0));
    }

    private int firstAtLeast(float value) {
        int low = 0;
        int high = ascending.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
