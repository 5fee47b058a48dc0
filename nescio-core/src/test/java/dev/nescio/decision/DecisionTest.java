// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Rng;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionTest {

    /** Another processor rounds otherwise: a node that was calibrated on lost or won a place by the last bit of its score. */
    @Test
    void roundingChangesNoPValue() {
        for (double sign : new double[] {1, -1}) {
            PValues values = PValues.calibratedOn(sign * 1, sign * 2, sign * 3, sign * 4);
            for (int i = 1; i <= 4; i++) {
                double score = sign * i;
                assertThat(values.of(Math.nextUp(score))).isEqualTo(values.of(score));
                assertThat(values.of(score * (1 + 1e-7))).isEqualTo(values.of(score));
                assertThat(values.of(score * (1 - 1e-7))).isEqualTo(values.of(score));
            }
            double threshold = values.threshold(0.4);
            assertThat(values.of(threshold + 1e-9)).isLessThanOrEqualTo(0.4);
            assertThat(values.of(threshold - 1e-9)).isGreaterThan(0.4);
        }
        assertThat(PValues.calibratedOn(1, 2, 3).of(Double.POSITIVE_INFINITY)).isEqualTo(0.25);
    }

    @Test
    void pValuesByHand() {
        PValues values = PValues.calibratedOn(3, 1, 2, 2);

        assertThat(values.of(0)).isEqualTo(1);
        assertThat(values.of(2)).isEqualTo(4 / 5.0);
        assertThat(values.of(2.5)).isEqualTo(2 / 5.0);
        assertThat(values.of(9)).isEqualTo(1 / 5.0);
        assertThat(values.smallestAlpha()).isEqualTo(0.2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.01, 0.05, 0.1, 0.5})
    void aScoreIsAboveTheThresholdIfAndOnlyIfItsPValueIsSmall(double alpha) {
        Rng rng = new Rng(1);
        double[] ordinary = new double[199];
        Arrays.setAll(ordinary, i -> rng.nextInt(60));
        PValues values = PValues.calibratedOn(ordinary);

        for (double score = -1; score < 62; score += 0.5) {
            assertThat(values.of(score) <= alpha + 1e-12).isEqualTo(score > values.threshold(alpha));
        }
    }

    /** Two hundred times new ordinary nodes: the share flagged is alpha up to chance. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.05, 0.1})
    void ordinaryNodesAreFlaggedAsOftenAsPromised(double alpha) {
        Rng rng = new Rng(2);
        double[] shares = new double[200];
        for (int trial = 0; trial < shares.length; trial++) {
            double[] ordinary = new double[999];
            Arrays.setAll(ordinary, i -> Math.exp(rng.nextGaussian()));
            PValues values = PValues.calibratedOn(ordinary);
            for (int i = 0; i < 500; i++) {
                shares[trial] += values.of(Math.exp(rng.nextGaussian())) <= alpha ? 1 / 500.0 : 0;
            }
        }
        double mean = Arrays.stream(shares).average().orElseThrow();
        double deviation = Math.sqrt(
                Arrays.stream(shares).map(s -> (s - mean) * (s - mean)).sum() / (shares.length - 1));

        assertThat(mean).isCloseTo(alpha, within(3 * deviation / Math.sqrt(shares.length)));
    }

    @Test
    void tooFewNodesFlagNothing() {
        assertThat(PValues.calibratedOn(1, 2, 3).threshold(0.05)).isInfinite();
        assertThatThrownBy(() -> PValues.calibratedOn()).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> PValues.calibratedOn(1, Double.NaN)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> PValues.calibratedOn(1).threshold(1)).isInstanceOf(BadConfiguration.class);
    }

    /** The example of Benjamini and Hochberg's paper: 15 p-values, four are listed at 0.05. */
    @Test
    void boundedListByTheOriginalExample() {
        double[] p = {
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0000
        };
        boolean[] listed = FalseAlarms.bounded(p, 0.05);

        for (int i = 0; i < p.length; i++) {
            assertThat(listed[i]).isEqualTo(i < 4);
        }
        assertThat(FalseAlarms.bounded(new double[0], 0.1)).isEmpty();
    }

    /** A tenth of the nodes is strange; of those listed at most a fifth may be ordinary, on average. */
    @Test
    void theShareOfFalseAlarmsIsBounded() {
        Rng rng = new Rng(3);
        double sum = 0;
        int trials = 100;
        for (int trial = 0; trial < trials; trial++) {
            double[] ordinary = new double[2000];
            Arrays.setAll(ordinary, i -> rng.nextGaussian());
            double[] scores = new double[500];
            Arrays.setAll(scores, i -> rng.nextGaussian() + (i < 50 ? 3.5 : 0));
            boolean[] listed =
                    FalseAlarms.bounded(PValues.calibratedOn(ordinary).ofAll(scores), 0.2);
            double count = 0;
            double wrong = 0;
            for (int i = 0; i < 500; i++) {
                count += listed[i] ? 1 : 0;
                wrong += listed[i] && i >= 50 ? 1 : 0;
            }
            sum += count == 0 ? 0 : wrong / count;
        }
        assertThat(sum / trials).isBetween(0.1, 0.22);
    }

    @Test
    void abstainingByHand() {
        RiskCoverage curve =
                RiskCoverage.of(new double[] {0.1, 0.2, 0.2, 0.9}, new boolean[] {true, true, false, false});

        assertThat(curve.points()).hasSize(3);
        assertThat(curve.points().get(1).coverage()).isEqualTo(0.75);
        assertThat(curve.points().get(1).accuracy()).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(curve.forAccuracy(0.6).orElseThrow().threshold()).isEqualTo(0.2);
        assertThat(curve.forAccuracy(1).orElseThrow().coverage()).isEqualTo(0.25);
        assertThat(curve.area()).isCloseTo(0.25 * 0 + 0.5 / 3 + 0.25 * 0.5, within(1e-12));
        assertThat(RiskCoverage.of(new double[] {1}, new boolean[] {false}).forAccuracy(0.5))
                .isEmpty();
        // Wilson's interval for 2 of 3.
        assertThat(curve.points().get(1).lowest()).isCloseTo(0.2077, within(1e-4));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.2})
    void labelSetsHoldTheTruthAsOftenAsPromised(double alpha) {
        Rng rng = new Rng(4);
        int trials = 200;
        double missing = 0;
        for (int trial = 0; trial < trials; trial++) {
            double[] ofTruth = new double[399];
            Arrays.setAll(ofTruth, i -> distribution(rng)[0]);
            LabelSets sets = LabelSets.of(ofTruth, alpha);
            for (int i = 0; i < 100; i++) {
                missing += sets.of(distribution(rng)).get(0) ? 0 : 1.0 / 100 / trials;
            }
        }
        assertThat(missing).isCloseTo(alpha, within(0.01));
        assertThat(LabelSets.of(new double[] {0.5}, 0.01).lowest()).isZero();
    }

    /** Of three labels; the first is the true one. */
    private static double[] distribution(Rng rng) {
        double[] logits = {1 + rng.nextGaussian(), rng.nextGaussian(), rng.nextGaussian()};
        double total = Arrays.stream(logits).map(Math::exp).sum();
        return Arrays.stream(logits).map(x -> Math.exp(x) / total).toArray();
    }

    /** The node whose probability is the lowest that is needed has its label on every processor. */
    @Test
    void whatIsRoundedOtherwiseCountsAsTheSame() {
        LabelSets sets = LabelSets.of(new double[] {0.2, 0.4, 0.6, 0.8}, 0.4);
        assertThat(sets.lowest()).isEqualTo(0.4);
        assertThat(sets.of(new double[] {0.4 - 1e-6, 0.6 + 1e-6}).cardinality()).isEqualTo(2);
        assertThat(sets.of(new double[] {0.3999, 0.6001}).cardinality()).isEqualTo(1);
        for (double x : new double[] {-3, 0, 2}) {
            assertThat(Rounding.below(Rounding.above(x))).isCloseTo(x, within(1e-15));
        }
    }

    /** Exactly on a boundary, and just outside of what is allowed. */
    @Test
    void boundariesBelongWhereTheDefinitionPutsThem() {
        for (double wrong : new double[] {0, 1, -0.1, Double.NaN}) {
            assertThatThrownBy(() -> LabelSets.of(new double[] {0.5}, wrong)).isInstanceOf(BadConfiguration.class);
            assertThatThrownBy(() -> FalseAlarms.bounded(new double[] {0.5}, wrong))
                    .isInstanceOf(BadConfiguration.class);
            assertThatThrownBy(() -> PValues.calibratedOn(1, 2).threshold(wrong))
                    .isInstanceOf(BadConfiguration.class);
        }
        // A label with exactly the lowest probability belongs to the set.
        LabelSets sets = LabelSets.of(new double[] {0.25, 0.5, 0.75}, 0.5);
        assertThat(sets.of(new double[] {0.5, 0.4999, 0.0001})).isEqualTo(BitSet.valueOf(new long[] {1}));
        // Nearly all sets may lack the true label: the highest probability is the limit, not beyond the last.
        assertThat(LabelSets.of(new double[] {0.25, 0.5, 0.75}, 0.99).of(new double[] {0.75, 0.25}))
                .isEqualTo(BitSet.valueOf(new long[] {1}));
        // Too few nodes: every label is in the set.
        assertThat(LabelSets.of(new double[] {0.25}, 0.1)
                        .of(new double[] {1, 0})
                        .cardinality())
                .isEqualTo(2);
        // A p-value of exactly its bound is listed.
        assertThat(FalseAlarms.bounded(new double[] {0.05, 0.9}, 0.1)).containsExactly(true, false);
        assertThat(FalseAlarms.bounded(new double[] {0.051, 0.9}, 0.1)).containsExactly(false, false);
    }

    /** The order of the nodes must not matter: the surest come first. */
    @Test
    void riskGoesByUncertaintyNotByOrder() {
        RiskCoverage curve =
                RiskCoverage.of(new double[] {0.9, 0.1, 0.5, 0.3}, new boolean[] {false, true, false, true});

        assertThat(curve.forAccuracy(1).orElseThrow().coverage()).isEqualTo(0.5);
        assertThat(curve.forAccuracy(1).orElseThrow().threshold()).isEqualTo(0.3);
        assertThat(curve.forAccuracy(0.5).orElseThrow().coverage()).isEqualTo(1);
        assertThatThrownBy(() -> curve.forAccuracy(0)).isInstanceOf(BadConfiguration.class);
        assertThatThrownBy(() -> curve.forAccuracy(1.01)).isInstanceOf(BadConfiguration.class);
    }
}
