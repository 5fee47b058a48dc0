// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DriftTest {

    private static double[] normal(Rng rng, int count, double mean) {
        double[] values = new double[count];
        Arrays.setAll(values, i -> mean + rng.nextGaussian());
        return values;
    }

    @Test
    void ordinaryBatchesRarelyRaiseAnAlarmAndShiftedOnesDo() {
        Rng rng = new Rng(5);
        int alarms = 0;
        int found = 0;
        for (int round = 0; round < 1000; round++) {
            PValues ordinary = PValues.calibratedOn(normal(rng, 199, 0));
            alarms += Drift.of(ordinary, normal(rng, 80, 0), 0.05).isAbove(0.1) ? 1 : 0;
            found += Drift.of(ordinary, normal(rng, 80, 1), 0.05).isAbove(0.1) ? 1 : 0;
        }
        assertThat(alarms).isBetween(30, 120);
        assertThat(found).isGreaterThan(990);
    }

    @Test
    void theDistanceIsTheLargestGapOfTheShares() {
        Rng rng = new Rng(9);
        double[] ordinary = normal(rng, 30, 0);
        double[] batch = normal(rng, 20, 0.5);
        double expected = 0;
        for (double at : ordinary) {
            expected = Math.max(expected, Math.abs(below(ordinary, at) - below(batch, at)));
        }
        for (double at : batch) {
            expected = Math.max(expected, Math.abs(below(ordinary, at) - below(batch, at)));
        }
        assertThat(Drift.of(PValues.calibratedOn(ordinary), batch, 0.1).distance())
                .isCloseTo(expected, within(1e-12));
    }

    private static double below(double[] values, double at) {
        return (double) Arrays.stream(values).filter(v -> v <= at).count() / values.length;
    }

    /** Nine ordinary nodes, two of them above the threshold of 0.2, or rather at it: one more is above with probability 2/10. */
    @Test
    void theNumberOfFlaggedNodesIsJudgedExactly() {
        PValues ordinary = PValues.calibratedOn(1, 2, 3, 4, 5, 6, 7, 8, 9);

        assertThat(Drift.of(ordinary, new double[] {100}, 0.2).flagged()).isEqualTo(1);
        assertThat(Drift.of(ordinary, new double[] {100}, 0.2).pFlagged()).isCloseTo(0.2, within(1e-9));
        assertThat(Drift.of(ordinary, new double[] {0}, 0.2).pFlagged()).isCloseTo(1, within(1e-9));
        // Both of two: 2/10 * 3/11.
        assertThat(Drift.of(ordinary, new double[] {100, 200}, 0.2).pFlagged()).isCloseTo(6.0 / 110, within(1e-9));
    }

    /** Kolmogorov's distribution at 1.0 and 0.5, and certainty where samples lie as near as they can. */
    @Test
    void theTailOfTheDistanceIsKolmogorovs() {
        // Equal samples of 200 and 200 that are shifted by d nodes have the distance d / 200.
        double size = Math.sqrt(100);
        double x = (size + 0.12 + 0.11 / size) * 0.1;
        double expected = 0;
        for (int k = 1; k < 30; k++) {
            expected += (k % 2 == 1 ? 2 : -2) * Math.exp(-2.0 * k * k * x * x);
        }
        assertThat(shifted(20).distance()).isCloseTo(0.1, within(1e-12));
        assertThat(shifted(20).pDistribution())
                .isCloseTo(expected, within(1e-12))
                .isCloseTo(0.2563, within(1e-3));
        assertThat(shifted(1).pDistribution()).isEqualTo(1);
        assertThat(shifted(200).pDistribution()).isLessThan(1e-20).isGreaterThanOrEqualTo(0);
    }

    private static Drift shifted(int by) {
        double[] ordinary = new double[200];
        double[] batch = new double[200];
        Arrays.setAll(ordinary, i -> i);
        Arrays.setAll(batch, i -> i + by - 0.5);
        return Drift.of(PValues.calibratedOn(ordinary), batch, 0.05);
    }

    /** Each of the two tests has half of the level. */
    @Test
    void theLevelIsSharedByBothTests() {
        assertThat(new Drift(10, 5, 0.5, 0.025, 1).isAbove(0.05)).isTrue();
        assertThat(new Drift(10, 5, 0.5, 0.026, 1).isAbove(0.05)).isFalse();
        assertThat(new Drift(10, 5, 0.5, 1, 0.025).isAbove(0.05)).isTrue();
        assertThat(new Drift(10, 4, 0.5, 1, 1).flaggedShare()).isEqualTo(0.4);
        assertThatThrownBy(() -> new Drift(10, 5, 0.5, 1, 1).isAbove(1.5)).isInstanceOf(BadConfiguration.class);
    }

    /** A node at the threshold is not above it; with too few ordinary nodes nothing can be above. */
    @Test
    void theThresholdItselfIsOrdinary() {
        PValues ordinary = PValues.calibratedOn(1, 2, 3, 4, 5, 6, 7, 8, 9);
        double threshold = ordinary.threshold(0.2);

        assertThat(Drift.of(ordinary, new double[] {threshold}, 0.2).flagged()).isZero();
        assertThat(Drift.of(ordinary, new double[] {100, 100}, 0.01).pFlagged()).isEqualTo(1);
    }

    /** Large batches: the beta-binomial by its exact sum, 60 of 1000 where 5 % of 199 are above. */
    @Test
    void manyFlaggedNodesAreJudgedExactlyToo() {
        double[] ordinary = new double[199];
        Arrays.setAll(ordinary, i -> i);
        double[] batch = new double[40];
        Arrays.setAll(batch, i -> i < 5 ? 1000 : 0);
        // P(X >= 5) for X ~ BetaBinomial(40, 10, 190), summed with exact factorials.
        double expected = 0;
        for (int k = 5; k <= 40; k++) {
            double product = 1;
            for (int i = 0; i < k; i++) {
                product *= (40.0 - i) / (i + 1) * (10.0 + i) / (200.0 + i);
            }
            for (int i = 0; i < 40 - k; i++) {
                product *= (190.0 + i) / (200.0 + k + i);
            }
            expected += product;
        }
        assertThat(Drift.of(PValues.calibratedOn(ordinary), batch, 0.05).pFlagged())
                .isCloseTo(expected, within(1e-9));
    }
}
