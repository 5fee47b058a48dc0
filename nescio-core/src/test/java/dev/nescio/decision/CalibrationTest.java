// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CalibrationTest {

    private static Calibration calibration() {
        Map<String, double[]> epistemic = new LinkedHashMap<>();
        epistemic.put("jlde", new double[] {1, 2, 3});
        epistemic.put("evidential", new double[] {4, 5, 6});
        return new Calibration(
                "three nodes",
                epistemic,
                Map.of(
                        Calibration.LOGITS,
                        new Calibration.Outcomes(
                                new double[] {0.9, 0.2, 0.6},
                                new double[] {0.1, 0.2, 0.4},
                                new boolean[] {true, false, true}),
                        "evidential",
                        new Calibration.Outcomes(new double[] {0.5}, new double[] {0.5}, new boolean[] {true})));
    }

    @Test
    void knowsWhomItHasScoresOf() {
        assertThat(calibration().nodes()).isEqualTo(3);
        assertThat(calibration().isEmpty()).isFalse();
        assertThat(calibration().knows("jlde")).isTrue();
        assertThat(calibration().knows("ebm")).isFalse();
        assertThat(calibration().pValues("jlde").size()).isEqualTo(3);
        assertThat(calibration().pValues("evidential").threshold(0.5)).isBetween(4.0, 6.0);
        assertThat(Calibration.NONE.isEmpty()).isTrue();
        assertThat(Calibration.NONE.nodes()).isZero();
        assertThat(new Calibration("none", Map.of("jlde", new double[0]), Map.of()).knows("jlde"))
                .isFalse();
    }

    @Test
    void predictionsAreKeptByWhoPredicted() {
        Calibration all = calibration();

        assertThat(all.labelled(Calibration.LOGITS)).isEqualTo(3);
        assertThat(all.labelled("evidential")).isEqualTo(1);
        assertThat(all.labelled("mcd")).isZero();
        // Two of three were right; the doubtful third is right again.
        assertThat(all.riskCoverage(Calibration.LOGITS)
                        .forAccuracy(0.99)
                        .orElseThrow()
                        .coverage())
                .isEqualTo(1 / 3.0);
        assertThat(all.riskCoverage("evidential")
                        .forAccuracy(0.99)
                        .orElseThrow()
                        .coverage())
                .isEqualTo(1);
        // With alpha 1/2, sets hold all labels with at least the second smallest truth: 0.6.
        assertThat(all.labelSets(Calibration.LOGITS, 0.5)
                        .of(new double[] {0.7, 0.3})
                        .cardinality())
                .isEqualTo(1);
        assertThat(all.labelSets("evidential", 0.5).of(new double[] {0.7, 0.3}).cardinality())
                .isEqualTo(1);
    }

    @Test
    void someEstimatorsAloneTakeTheirPredictionsAlong() {
        Calibration logits = calibration().only(Set.of("jlde"));
        Calibration own = calibration().only(Set.of("evidential"));

        assertThat(logits.epistemic()).containsOnlyKeys("jlde");
        assertThat(logits.predictions()).containsOnlyKeys(Calibration.LOGITS);
        assertThat(logits.source()).isEqualTo("three nodes");
        assertThat(own.predictions()).containsOnlyKeys(Calibration.LOGITS, "evidential");
    }

    @Test
    void whatIsNotThereIsRefused() {
        assertThatThrownBy(() -> calibration().pValues("ebm"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageStartingWith("ebm was not fitted with this detector")
                .hasMessageEndingWith("jlde, evidential");
        assertThatThrownBy(() -> Calibration.NONE.pValues("jlde"))
                .hasMessageStartingWith("there are no held-out nodes to compare with");
        assertThatThrownBy(() -> calibration().labelSets("mcd", 0.1)).isInstanceOf(BadConfiguration.class);
        assertThatThrownBy(() -> calibration().riskCoverage("mcd")).isInstanceOf(BadConfiguration.class);
        assertThatThrownBy(() -> new Calibration.Outcomes(new double[1], new double[2], new boolean[1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Calibration.Outcomes(new double[1], new double[1], new boolean[2]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
