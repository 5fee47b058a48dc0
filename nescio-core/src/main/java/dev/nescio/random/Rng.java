// SPDX-License-Identifier: Apache-2.0
package dev.nescio.random;

/** A SplitMix64 stream. Not thread-safe: one stream, one owner. */
public final class Rng {

    private long state;
    private double spareGaussian = Double.NaN;

    /** A stream that depends on the seed alone: the same numbers on every machine. */
    public Rng(long seed) {
        this.state = Seed.mix(seed);
    }

    /** 64 random bits. */
    public long nextLong() {
        state += Seed.GOLDEN;
        return Seed.mix(state);
    }

    /** Uniform in [0, 1) with 53 bits. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Uniform in [from, to). */
    public double nextDouble(double from, double to) {
        return from + (to - from) * nextDouble();
    }

    /** Uniform in 0..bound-1, without bias. */
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive, got " + bound);
        }
        while (true) {
            long bits = nextLong() >>> 33;
            long value = bits % bound;
            if (bits - value + (bound - 1) < 1L << 31) {
                return (int) value;
            }
        }
    }

    /** Standard normal, by Marsaglia's polar method. */
    public double nextGaussian() {
        if (!Double.isNaN(spareGaussian)) {
            double spare = spareGaussian;
            spareGaussian = Double.NaN;
            return spare;
        }
        while (true) {
            double u = nextDouble(-1, 1);
            double v = nextDouble(-1, 1);
            double s = u * u + v * v;
            if (s > 0 && s < 1) {
                double factor = StrictMath.sqrt(-2 * StrictMath.log(s) / s);
                spareGaussian = v * factor;
                return u * factor;
            }
        }
    }

    /** Shuffles in place (Fisher and Yates). */
    public void shuffle(int[] values) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = nextInt(i + 1);
            int swapped = values[i];
            values[i] = values[j];
            values[j] = swapped;
        }
    }

    /** The index that a draw from these weights falls on; weights are non-negative with a positive sum. */
    public int nextIndex(double[] weights) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double left = nextDouble() * total;
        int last = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                last = i;
                left -= weights[i];
                if (left < 0) {
                    return i;
                }
            }
        }
        return last;
    }
}
