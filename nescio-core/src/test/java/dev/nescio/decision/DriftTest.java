// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
}
