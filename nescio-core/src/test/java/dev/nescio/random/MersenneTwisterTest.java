// SPDX-License-Identifier: Apache-2.0
package dev.nescio.random;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MersenneTwisterTest {

    /** The ten-thousandth number of the seed that the authors of the generator use. */
    @Test
    void isGolden() {
        MersenneTwister random = new MersenneTwister(5489);
        for (int i = 1; i < 10_000; i++) {
            random.nextInt();
        }
        assertThat(Integer.toUnsignedLong(random.nextInt())).isEqualTo(4123659995L);
    }

    /** As numpy.random.RandomState(3).permutation(10) and RandomState(0).permutation(5). */
    @Test
    void permutesAsNumPyDoes() {
        assertThat(new MersenneTwister(3).permutation(10)).containsExactly(5, 4, 1, 2, 9, 6, 7, 0, 3, 8);
        assertThat(new MersenneTwister(0).permutation(5)).containsExactly(2, 0, 1, 3, 4);
    }
}
