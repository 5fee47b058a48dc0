// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.random.Rng;
import dev.nescio.testing.Golden;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RocTest {

    @Test
    void isGolden() {
        int[] target = Golden.ints("binary_metrics", "target");
        boolean[] positive = new boolean[target.length];
        for (int i = 0; i < target.length; i++) {
            positive[i] = target[i] == 1;
        }
        Roc roc = Roc.of(Golden.doubles("binary_metrics", "score"), positive);

        assertThat(roc.auc()).isCloseTo(Golden.at("binary_metrics", "auc_roc").asDouble(), within(1e-12));
        assertThat(roc.aucPr())
                .isCloseTo(
                        Golden.at("binary_metrics", "auc_pr_trapezoid_with_(recall0,precision1)_endpoint")
                                .asDouble(),
                        within(1e-12));
    }

    /** The chance that a positive beats a negative, counted over all pairs, with many ties. */
    @Test
    void equalsCountingPairs() {
        Rng rng = new Rng(4);
        double[] scores = new double[200];
        boolean[] positive = new boolean[200];
        for (int i = 0; i < 200; i++) {
            scores[i] = rng.nextInt(20);
            positive[i] = rng.nextDouble() < 0.3;
        }
        double wins = 0;
        double pairs = 0;
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 200; j++) {
                if (positive[i] && !positive[j]) {
                    pairs++;
                    wins += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
                }
            }
        }
        assertThat(Roc.of(scores, positive).auc()).isCloseTo(wins / pairs, within(1e-12));
    }

    /** Sorted by score: + - + + -; precisions at the positives 1, 2/3, 3/4; all are found after one false alarm of two. */
    @Test
    void averagePrecisionAndFalseAlarmsByHand() {
        Roc roc = Roc.of(new double[] {5, 4, 3, 2, 1}, new boolean[] {true, false, true, true, false});

        assertThat(roc.averagePrecision()).isCloseTo((1 + 2 / 3.0 + 0.75) / 3, within(1e-12));
        assertThat(roc.falseAlarms()).isEqualTo(0.5);
    }

    /** Thresholds tried one by one. */
    @Test
    void falseAlarmsEqualTheBruteForceTwin() {
        Rng rng = new Rng(8);
        double[] scores = new double[300];
        boolean[] positive = new boolean[300];
        for (int i = 0; i < 300; i++) {
            positive[i] = rng.nextDouble() < 0.4;
            scores[i] = rng.nextInt(40) + (positive[i] ? 10 : 0);
        }
        double fewest = 1;
        for (double threshold = 0; threshold < 60; threshold++) {
            double found = 0;
            double alarms = 0;
            double positives = 0;
            for (int i = 0; i < 300; i++) {
                positives += positive[i] ? 1 : 0;
                found += positive[i] && scores[i] >= threshold ? 1 : 0;
                alarms += !positive[i] && scores[i] >= threshold ? 1 : 0;
            }
            if (found / positives >= 0.95) {
                fewest = Math.min(fewest, alarms / (300 - positives));
            }
        }
        assertThat(Roc.of(scores, positive).falseAlarms()).isCloseTo(fewest, within(1e-12));
    }

    /** Precision and recall counted anew at every threshold, with many ties. */
    @Test
    void areasUnderPrecisionAndRecallEqualTheBruteForceTwin() {
        Rng rng = new Rng(9);
        double[] scores = new double[300];
        boolean[] positive = new boolean[300];
        for (int i = 0; i < 300; i++) {
            positive[i] = rng.nextDouble() < 0.2;
            scores[i] = rng.nextInt(30) + (positive[i] ? 4 : 0);
        }
        double trapezoids = 0;
        double steps = 0;
        double lastRecall = 0;
        double lastPrecision = 1;
        for (double threshold = 40; threshold >= 0; threshold--) {
            double t = threshold;
            double called = IntStream.range(0, 300).filter(i -> scores[i] >= t).count();
            double found = IntStream.range(0, 300)
                    .filter(i -> scores[i] >= t && positive[i])
                    .count();
            if (called > 0) {
                double recall =
                        found / IntStream.range(0, 300).filter(i -> positive[i]).count();
                double precision = found / called;
                trapezoids += (recall - lastRecall) * (precision + lastPrecision) / 2;
                steps += (recall - lastRecall) * precision;
                lastRecall = recall;
                lastPrecision = precision;
            }
        }
        Roc roc = Roc.of(scores, positive);
        assertThat(roc.aucPr()).isCloseTo(trapezoids, within(1e-12));
        assertThat(roc.averagePrecision()).isCloseTo(steps, within(1e-12));
    }

    /** Sorted by score: + - + + -; trapezoids between (0, 1), (1/3, 1), (1/3, 1/2), (2/3, 2/3), (1, 3/4), (1, 3/5). */
    @Test
    void areaUnderPrecisionAndRecallByHand() {
        Roc roc = Roc.of(new double[] {5, 4, 3, 2, 1}, new boolean[] {true, false, true, true, false});

        assertThat(roc.aucPr()).isCloseTo((1 + (1 / 2.0 + 2 / 3.0) / 2 + (2 / 3.0 + 3 / 4.0) / 2) / 3, within(1e-12));
    }

    @Test
    void isNotANumberWhereThereIsNothingToCompare() {
        assertThat(Roc.of(new double[] {1, 2}, new boolean[] {true, true}).auc())
                .isNaN();
        assertThat(Roc.of(new double[0], new boolean[0]).aucPr()).isNaN();
    }

    @Test
    void refusesScoresThatAreNotNumbers() {
        assertThatThrownBy(() -> Roc.of(new double[] {1, Double.NaN}, new boolean[] {true, false}))
                .hasMessage("score 1 is not a number");
    }

    @Test
    void accuracyCountsTheNodesAskedFor() {
        assertThat(Accuracy.of(new int[] {0, 1, 1}, new int[] {0, 0, 1}, new int[] {0, 1}))
                .isEqualTo(0.5);
        assertThat(Accuracy.of(new int[] {0}, new int[] {0}, new int[0])).isNaN();
    }
}
