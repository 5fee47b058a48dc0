// SPDX-License-Identifier: Apache-2.0
package dev.nescio.random;

/**
 * A seed that splits by purpose: draws for dropout never disturb draws for the initialisation.
 *
 * @param value any 64 bits
 */
public record Seed(long value) {

    /** The step between positions of a stream: the golden ratio in 64 bits, odd. */
    public static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** A seed for one purpose; different purposes give unrelated streams. */
    public Seed split(String purpose) {
        long hash = value;
        for (int i = 0; i < purpose.length(); i++) {
            hash = mix(hash + GOLDEN + purpose.charAt(i));
        }
        return new Seed(mix(hash));
    }

    /** A seed for the i-th of many like things: an epoch, a layer, a member of an ensemble. */
    public Seed split(long index) {
        return new Seed(mix(mix(value + GOLDEN) ^ mix(index + 2 * GOLDEN)));
    }

    /** A new stream from its beginning; every call returns an equal one. */
    public Rng rng() {
        return new Rng(value);
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection that scatters every bit. */
    public static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }
}
