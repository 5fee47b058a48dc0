// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.random.Seed;

/**
 * Which entries dropout keeps, and the factor of those: a hash of a key and the position of an entry. Nothing is stored for the
 * backward pass, which computes it again, and it does not depend on the number of threads.
 */
final class Mask {

    /** The step of the hash from one position to the next: the golden ratio in 32 bits, odd. */
    private static final int STEP = 0x9E3779B1;

    /** Positions times the step: loops over arrays become vector instructions, loops that count do not. */
    private static final int[] STEPS = new int[Scratch.ENTRIES];

    static {
        for (int i = 0; i < STEPS.length; i++) {
            STEPS[i] = i * STEP;
        }
    }

    private final int threshold;
    private final int scaleBits;
    private final long key;

    /**
     * @param threshold the share of entries to drop, in 65536ths
     * @param key other keys give unrelated masks
     */
    Mask(int threshold, long key) {
        this.threshold = threshold;
        this.scaleBits = Float.floatToRawIntBits((float) (65536.0 / (65536 - threshold)));
        this.key = key;
    }

    /** Zero for entries that are dropped and the factor of all others, for {@code size} entries from a position on, in {@code scratch.factors}. */
    void factors(long first, int size, Scratch scratch) {
        long mixed = Seed.mix(key ^ (first >>> 32));
        bits(STEPS, scratch.bits, size, (int) mixed + (int) first * STEP, (int) (mixed >>> 32));
        scratch.bitsToFactors(size);
    }

    /** 16 bits of a hash with two rounds, compared with the threshold; the bits of a float without a branch. */
    private void bits(int[] steps, int[] bits, int size, int firstKey, int secondKey) {
        for (int i = 0; i < size; i++) {
            int h = steps[i] + firstKey;
            h ^= h >>> 16;
            h *= 0x7FEB352D;
            h ^= (h >>> 15) ^ secondKey;
            h *= 0x846CA68B;
            bits[i] = ~(((h >>> 16) - threshold) >> 31) & scaleBits;
        }
    }
}
