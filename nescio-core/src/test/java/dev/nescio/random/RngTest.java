// SPDX-License-Identifier: Apache-2.0
package dev.nescio.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RngTest {

    /** Saved models and splits are named by their seed: these numbers must never change. */
    @Test
    void drawsAreFixedForEver() {
        Rng rng = new Seed(42).split("dropout").split(7).rng();

        assertThat(new long[] {rng.nextLong(), rng.nextLong()})
                .containsExactly(6996333487507993930L, 8188812193831005718L);
    }

    @Test
    void gaussiansHaveMeanZeroAndVarianceOne() {
        Rng rng = new Rng(1);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < 100_000; i++) {
            double x = rng.nextGaussian();
            sum += x;
            squares += x * x;
        }
        assertThat(sum / 100_000).isCloseTo(0, within(0.02));
        assertThat(squares / 100_000).isCloseTo(1, within(0.02));
    }

    @Test
    void intsAreEvenlySpreadWithinTheirBound() {
        Rng rng = new Rng(2);
        int[] counts = new int[7];
        for (int i = 0; i < 70_000; i++) {
            counts[rng.nextInt(7)]++;
        }
        assertThat(Arrays.stream(counts)).allMatch(c -> Math.abs(c - 10_000) < 400);
    }

    @Test
    void weightedDrawsNeverHitAWeightOfZero() {
        Rng rng = new Rng(3);
        int[] counts = new int[4];
        for (int i = 0; i < 10_000; i++) {
            counts[rng.nextIndex(new double[] {0, 3, 1, 0})]++;
        }
        assertThat(counts[0] + counts[3]).isZero();
        assertThat(counts[1]).isBetween(7200, 7800);
    }

    @Test
    void shufflingKeepsEveryElement() {
        int[] values = {0, 1, 2, 3, 4, 5, 6, 7};
        new Rng(4).shuffle(values);

        assertThat(values).isNotEqualTo(new int[] {0, 1, 2, 3, 4, 5, 6, 7});
        Arrays.sort(values);
        assertThat(values).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }
}
