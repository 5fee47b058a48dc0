// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How often two samples that are mixed and parted again differ at least as much as they do: a p-value that is exact whatever the
 * samples are. Stops early where the answer is plain (Besag and Clifford 1991).
 */
final class Permutations {

    private static final int ENOUGH = 10;

    private Permutations() {}

    /**
     * @param size of both samples together
     * @param difference how much two samples differ, given an order of all: the first sample's members come first
     * @param most permutations
     */
    static double pValue(int size, ToDoubleFunction<int[]> difference, int most, Seed seed) {
        int[] order = IntStream.range(0, size).toArray();
        double observed = difference.applyAsDouble(order);
        Rng rng = seed.rng();
        int atLeast = 0;
        for (int i = 1; i <= most; i++) {
            rng.shuffle(order);
            // Sums in another order differ in the last digits.
            atLeast += difference.applyAsDouble(order) >= observed - 1e-9 * Math.abs(observed) ? 1 : 0;
            if (atLeast == ENOUGH) {
                return (double) atLeast / i;
            }
        }
        return (1.0 + atLeast) / (1 + most);
    }
}
