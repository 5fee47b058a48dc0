package dev.nescio.metric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RanksTest {

    @Test
    void theLargestIsFirstAndTiesShare() {
        assertThat(Ranks.of(0.7, 0.9, 0.7, Double.NaN, 0.1)).containsExactly(2.5, 1, 2.5, Double.NaN, 4);
    }

    @Test
    void leftOutClassesCountHalf() {
        assertThat(Ranks.average(1, 2, 4)).isEqualTo(2);
    }
}
