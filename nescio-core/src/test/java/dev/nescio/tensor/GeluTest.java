// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GeluTest {

    private static final int SIZE = 40_001;

    /** From -20 to 20 in steps of a thousandth, beside libtorch in doubles. */
    @Test
    void agreesWithTheExactFormulaAndItsDerivative() {
        double[] at = new double[SIZE];
        float[] values = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            values[i] = (i - 20_000) / 1000f;
            at[i] = values[i];
        }
        float[] alone = values.clone();
        float[] slopes = new float[SIZE];
        Gelu.apply(values, slopes, SIZE);
        Gelu.apply(alone, SIZE);

        Scope.run(() -> {
            Tensor x = Tensor.of(at, SIZE).requireGradient();
            Tensor exact = x.gelu();
            double[] expected = exact.toDoubles();
            exact.sum().backward();
            double[] derivative = x.gradient().toDoubles();
            double worst = 0;
            double worstSlope = 0;
            for (int i = 0; i < SIZE; i++) {
                worst = Math.max(worst, Math.abs(values[i] - expected[i]) / (1 + 0.3 * Math.abs(at[i])));
                worstSlope = Math.max(worstSlope, Math.abs(slopes[i] - derivative[i]));
            }
            assertThat(worst).isLessThan(1e-6);
            assertThat(worstSlope).isLessThan(3e-6);
            assertThat(alone).isEqualTo(values);
        });
    }

    @Test
    void hugeValuesAndNothingAreWhatTheyShouldBe() {
        float[] values = {-1e30f, Float.NEGATIVE_INFINITY, 1e30f, Float.POSITIVE_INFINITY, Float.NaN, 0f};
        float[] slopes = new float[6];
        Gelu.apply(values, slopes, 6);

        assertThat(values[0]).isCloseTo(0, within(2e-6f));
        assertThat(values[1]).isCloseTo(0, within(2e-6f));
        assertThat(values[2]).isEqualTo(1e30f, within(1e24f));
        assertThat(values[3]).isInfinite().isPositive();
        assertThat(values[4]).isNaN();
        assertThat(values[5]).isZero();
        assertThat(slopes[2]).isCloseTo(1, within(3e-6f));
        assertThat(slopes[5]).isEqualTo(0.5f);
    }
}
