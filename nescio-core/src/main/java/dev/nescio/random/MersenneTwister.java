// SPDX-License-Identifier: Apache-2.0
package dev.nescio.random;

/**
 * The generator MT19937 (Matsumoto and Nishimura 1998), drawing as NumPy's RandomState does: for splits that others have
 * published by their seed. Everything of our own is drawn by {@link Rng}.
 */
public final class MersenneTwister {

    private static final int SIZE = 624;
    private static final int SHIFT = 397;

    private final int[] state = new int[SIZE];
    private int next = SIZE;

    /** Begins as {@code RandomState(seed)} of NumPy does, where the seed counts as 32 bits without a sign. */
    public MersenneTwister(int seed) {
        state[0] = seed;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
    }

    /** 32 random bits. */
    public int nextInt() {
        if (next == SIZE) {
            twist();
        }
        int y = state[next++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        return y ^ (y >>> 18);
    }

    private void twist() {
        for (int i = 0; i < SIZE; i++) {
            int y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
            state[i] = state[(i + SHIFT) % SIZE] ^ (y >>> 1) ^ ((y & 1) == 0 ? 0 : 0x9908b0df);
        }
        next = 0;
    }

    /** Uniform in 0..most: bits are drawn until they are small enough. */
    private int upTo(int most) {
        int mask = most == 0 ? 0 : -1 >>> Integer.numberOfLeadingZeros(most);
        int value = nextInt() & mask;
        while (value > most) {
            value = nextInt() & mask;
        }
        return value;
    }

    /** Shuffles in place. */
    public void shuffle(int[] values) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = upTo(i);
            int swapped = values[i];
            values[i] = values[j];
            values[j] = swapped;
        }
    }

    /** The numbers 0..count-1 in random order. */
    public int[] permutation(int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = i;
        }
        shuffle(values);
        return values;
    }
}
