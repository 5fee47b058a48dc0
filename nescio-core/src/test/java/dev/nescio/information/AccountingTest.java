// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AccountingTest {

    private static final double SIX_DECIMALS = 5e-7;

    @ParameterizedTest
    @CsvSource({
        "P1, 0.531004, 0.483935, 0.612337, 0.671714, 0.090597, 0.043528, 0.075181, -0.031219, 0.097182, 0.180890",
        "P2, 0.531004, 0.090597, 0.337450, 0.671714, 0.483935, 0.043528, 0.075181, -0.149670, 0.097182, 0.180890",
        "P3, 0.531004, 0.118709, 0.607351, 0.671714, 0.455823, 0.043528, 0.075181, -0.391459, 0.097182, 0.180890",
        "P4, 0.531004, 0.118709, 0.607351, 0.671714, 0.455823, 0.043528, 0.075181, -0.391459, 0.097182, 0.180890",
        "R1, 0.531004, 0, 0.265502, 0.531004, 0.531004, 0, 0, -0.265502, 0, 0"
    })
    void pathsAreGolden(
            String name,
            double z0,
            double z1,
            double z2,
            double joint,
            double loss0,
            double gain1,
            double homophily1,
            double loss1,
            double gain2,
            double homophily2) {
        Accounting a = Accounting.of(FiniteModels.named(name));

        assertClose(a.perLayer(), z0, z1, z2);
        assertThat(a.joint()).isCloseTo(joint, within(SIX_DECIMALS));
        assertStep(a.steps().get(0), loss0, gain1, homophily1);
        assertStep(a.steps().get(1), loss1, gain2, homophily2);
        if (name.startsWith("P")) {
            assertClose(a.perShells(), 0.531004, 0.574532, 0.671714);
            assertThat(a.perShell().get(1)).isCloseTo(0.118709, within(SIX_DECIMALS));
            assertThat(a.perShell().get(2)).isCloseTo(0.278072, within(SIX_DECIMALS));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "X1, 1, 0, 0, 1, 1, 1, -1",
        "X2, 1, 0, 1, 1, 0, 1, -1",
        "C1, 2, 1, 1, 2, 1, 1, 0",
        "D1, 1, 1, 1, 1, 0, 0, 1"
    })
    void bitsAreGolden(
            String name, double label, double z0, double z1, double joint, double loss, double gain, double homophily) {
        Accounting a = Accounting.of(FiniteModels.named(name));

        assertThat(a.label()).isCloseTo(label, within(1e-12));
        assertClose(a.perLayer(), z0, z1);
        assertThat(a.joint()).isCloseTo(joint, within(1e-12));
        assertStep(a.steps().get(0), loss, gain, homophily);
    }

    private static void assertClose(List<Double> actual, double... expected) {
        assertThat(actual).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual.get(i)).isCloseTo(expected[i], within(SIX_DECIMALS));
        }
    }

    private static void assertStep(Accounting.Step step, double loss, double gain, double homophily) {
        assertThat(step.loss()).isCloseTo(loss, within(SIX_DECIMALS));
        assertThat(step.gain()).isCloseTo(gain, within(SIX_DECIMALS));
        assertThat(step.homophily()).isCloseTo(homophily, within(SIX_DECIMALS));
    }

    @ParameterizedTest
    @MethodSource("dev.nescio.information.FiniteModels#names")
    void theTheoryHoldsOnEveryNamedModel(String name) {
        FiniteModel model = FiniteModels.named(name);

        assertThat(Accounting.of(model).check(model).worst()).isLessThan(1e-12);
    }

    /** Any distribution of label and shells; any tables for the layers, half of them with coins of their own. */
    @Test
    void theTheoryHoldsOnTenThousandRandomModels() {
        Rng rng = new Rng(1);
        boolean[] seen = new boolean[3];
        for (int trial = 0; trial < 10_000; trial++) {
            FiniteModel model = random(rng, trial % 2 == 0);
            Accounting a = Accounting.of(model);
            double best = a.perLayer().stream().mapToDouble(i -> i).max().orElseThrow();

            assertThat(a.check(model).worst()).isLessThan(1e-10);
            assertThat(a.joint()).isGreaterThan(best - 1e-10);
            assertThat(a.joint()).isLessThan(a.perShells().get(2) + 1e-10);
            seen[0] |= a.steps().get(0).homophily() < -0.01;
            seen[1] |= a.steps().get(1).loss() < -0.01;
            seen[2] |= a.joint() > best + 0.01;
        }
        // Homophily below zero, recovery, and layers that know more together are all there.
        assertThat(seen).containsOnly(true);
    }

    private static FiniteModel random(Rng rng, boolean noisy) {
        int[][] tables = new int[3][64];
        for (int[] table : tables) {
            Arrays.setAll(table, i -> rng.nextInt(3));
        }
        List<Joint.Outcome> outcomes = new ArrayList<>();
        double total = 0;
        double[] weights = new double[16];
        for (int i = 0; i < 16; i++) {
            weights[i] = rng.nextDouble() < 0.2 ? 0 : rng.nextDouble();
            total += weights[i];
        }
        for (int i = 0; i < 16; i++) {
            for (int coin = 0; coin < (noisy ? 2 : 1); coin++) {
                int g0 = i >> 1 & 1;
                int g1 = i >> 2 & 1;
                int g2 = i >> 3 & 1;
                int z0 = tables[0][g0];
                int z1 = tables[1][8 * z0 + 2 * g1 + coin];
                int z2 = tables[2][16 * z1 + 4 * z0 + 2 * g2 + coin];
                outcomes.add(new Joint.Outcome(
                        weights[i] / total / (noisy ? 2 : 1), List.of(i & 1, g0, g1, g2, z0, z1, z2)));
            }
        }
        return new FiniteModel("random", 2, new Joint(7, outcomes));
    }

    /** A representation that knows the label from elsewhere breaks the theory, and the check says so. */
    @Test
    void theCheckNoticesRepresentationsThatKnowTooMuch() {
        FiniteModel model = FiniteModel.enumerated(
                "cheating",
                1,
                List.of(new int[] {0}, new int[] {1}),
                List.of(0.5, 0.5),
                a -> new FiniteModel.Described(a[0], List.of(0, 0), List.of(0, a[0])));

        assertThat(Accounting.of(model).check(model).markov()).isCloseTo(1, within(1e-12));
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> FiniteModels.named("P9"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("P1, P2");
        assertThatThrownBy(() -> new Joint(1, List.of(new Joint.Outcome(0.5, List.of(1)))))
                .isInstanceOf(BadInput.class)
                .hasMessage("the probabilities sum to 0.5, but must sum to 1");
        assertThatThrownBy(() -> new Joint(2, List.of(new Joint.Outcome(1, List.of(1)))))
                .isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> new Joint(1, List.of(new Joint.Outcome(Double.NaN, List.of(1)))))
                .isInstanceOf(BadInput.class);
    }
}
