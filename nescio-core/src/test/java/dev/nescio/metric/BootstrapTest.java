// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.random.Rng;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BootstrapTest {

    /** For many runs the interval is that of the normal distribution. */
    @Test
    void coversTheMeanAsTheNormalDistributionDoes() {
        Rng rng = new Rng(3);
        double[] runs = new double[400];
        Arrays.setAll(runs, i -> 5 + rng.nextGaussian());
        Spread spread = Spread.of(Arrays.stream(runs));
        Bootstrap.Interval interval = Bootstrap.ofMean(runs);

        assertThat(interval.low()).isCloseTo(spread.mean() - 1.96 * spread.std() / 20, within(0.02));
        assertThat(interval.high()).isCloseTo(spread.mean() + 1.96 * spread.std() / 20, within(0.02));
    }

    @Test
    void eachTailHoldsTwoAndAHalfPercent() {
        // Of eight runs with one 1, the number of ones is binomial: 34, 39, 20, 6, 1.3, 0.2 %: 97.5 % lie at or below
        // 3.
        assertThat(Bootstrap.ofMean(1, 0, 0, 0, 0, 0, 0, 0)).isEqualTo(new Bootstrap.Interval(0, 3 / 8.0));
        // The other way round, 97.5 % lie at or above 5.
        assertThat(Bootstrap.ofMean(0, 1, 1, 1, 1, 1, 1, 1)).isEqualTo(new Bootstrap.Interval(5 / 8.0, 1));
    }

    @Test
    void fewRuns() {
        assertThat(Bootstrap.ofMean(2)).isEqualTo(new Bootstrap.Interval(2, 2));
        assertThat(Bootstrap.ofMean().low()).isNaN();
        assertThat(Bootstrap.ofMean(1, 3)).isEqualTo(new Bootstrap.Interval(1, 3));
    }
}
