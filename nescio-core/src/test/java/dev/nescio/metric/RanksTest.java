// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.random.Rng;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RanksTest {

    @Test
    void theLargestIsFirstAndTiesShare() {
        assertThat(Ranks.of(0.7, 0.9, 0.7, Double.NaN, 0.1)).containsExactly(2.5, 1, 2.5, Double.NaN, 4);
    }

    /** Places in the sorted order, shared by all that are equal. */
    @Test
    void equalsTheTwinThatSorts() {
        Rng rng = new Rng(2);
        for (int trial = 0; trial < 50; trial++) {
            double[] values =
                    IntStream.range(0, 6).mapToDouble(i -> rng.nextInt(5)).toArray();
            double[] sorted = Arrays.stream(values).map(v -> -v).sorted().toArray();
            double[] expected = Arrays.stream(values)
                    .map(v -> IntStream.range(0, 6)
                                    .filter(place -> sorted[place] == -v)
                                    .average()
                                    .orElseThrow()
                            + 1)
                    .toArray();

            assertThat(Ranks.of(values)).containsExactly(expected);
        }
    }

    @Test
    void leftOutClassesCountHalf() {
        assertThat(Ranks.average(1, 2, 4)).isEqualTo(2);
    }
}
