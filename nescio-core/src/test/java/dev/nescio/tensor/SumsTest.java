// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.testing.FiniteDifferences;
import dev.nescio.testing.FiniteDifferences.Input;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SumsTest {

    private static final int ROWS = 70_001;

    private final int threadsBefore = Engine.threads();
    private final Rng rng = new Seed(5).rng();

    @AfterEach
    void restoreThreads() {
        Engine.useThreads(threadsBefore);
    }

    private float[] random(int size) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) rng.nextGaussian();
        }
        return values;
    }

    private static void assertSameWithAnyThreads(Supplier<float[]> work) {
        Engine.useThreads(1);
        float[] one = Scope.run(work);
        for (int threads = 2; threads <= 4; threads++) {
            Engine.useThreads(threads);
            assertThat(Scope.run(work)).isEqualTo(one);
        }
    }

    @Test
    void totalIsRightAndTheSameWithAnyThreads() {
        float[] values = random(ROWS * 3);
        double exact = 0;
        for (float value : values) {
            exact += value;
        }
        assertSameWithAnyThreads(() -> Tensor.of(values, ROWS, 3).sum().toFloats());
        double sum = Scope.run(() -> Tensor.of(values, ROWS, 3).sum().item());
        assertThat(sum).isCloseTo(exact, within(1e-2));
        assertSameWithAnyThreads(
                () -> Tensor.of(values, ROWS * 3, 1).sumOverRows().toFloats());
    }

    @Test
    void gradientOfANumberIsTheSameWithAnyThreads() {
        float[] values = random(ROWS);
        assertSameWithAnyThreads(() -> {
            Tensor number = Tensor.of(new float[] {0.5f}, 1).requireGradient();
            Tensor x = Tensor.of(values, ROWS, 1);
            x.times(number).plus(number).times(x).sum().backward();
            return number.gradient().toFloats();
        });
    }

    @Test
    void numbersWithGradients() {
        FiniteDifferences.check(in -> in[0].times(in[1]), Input.random(rng, 4, 3), Input.random(rng, 1));
        FiniteDifferences.check(in -> in[0].plus(in[1]), Input.random(rng, 4, 3), Input.random(rng, 1));
    }

    @Test
    void rowNormalisationHasTheRightGradients() {
        FiniteDifferences.check(
                in -> in[0].layerNorm(in[1], in[2]),
                Input.random(rng, 5, 4),
                Input.random(rng, 4),
                Input.random(rng, 4));
        // With an input that is no leaf, and rows that are a view.
        FiniteDifferences.check(
                in -> in[0].times(2).firstRows(3).layerNorm(in[1], in[2]),
                Input.random(rng, 5, 4),
                Input.random(rng, 4),
                Input.random(rng, 4));
    }

    @Test
    void rowNormalisationInFloatsEqualsDoubles() {
        int rows = 1500;
        int columns = 7;
        float[] x = random(rows * columns);
        float[] weights = random(rows * columns);
        Scope.run(() -> {
            Tensor scale = Tensor.of(random(columns), columns).requireGradient();
            Tensor shift = Tensor.of(random(columns), columns).requireGradient();
            Tensor input = Tensor.of(x, rows, columns).requireGradient();
            input.layerNorm(scale, shift)
                    .times(Tensor.of(weights, rows, columns))
                    .sum()
                    .backward();
            Tensor exactScale = scale.detached().toDouble().requireGradient();
            Tensor exactShift = shift.detached().toDouble().requireGradient();
            Tensor exactInput = input.detached().toDouble().requireGradient();
            exactInput
                    .layerNorm(exactScale, exactShift)
                    .times(Tensor.of(weights, rows, columns).toDouble())
                    .sum()
                    .backward();
            assertThat(scale.gradient().toDoubles())
                    .containsExactly(exactScale.gradient().toDoubles(), within(1e-3));
            assertThat(shift.gradient().toDoubles())
                    .containsExactly(exactShift.gradient().toDoubles(), within(1e-3));
            assertThat(input.gradient().toDoubles())
                    .containsExactly(exactInput.gradient().toDoubles(), within(1e-4));
        });
    }

    @Test
    void rowNormalisationIsTheSameWithAnyThreads() {
        float[] x = random(9000 * 8);
        float[] weights = random(9000 * 8);
        float[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
        assertSameWithAnyThreads(() -> {
            Tensor scale = Tensor.of(ones, 8).requireGradient();
            Tensor shift = Tensor.of(ones, 8).requireGradient();
            Tensor input = Tensor.of(x, 9000, 8).requireGradient();
            input.layerNorm(scale, shift)
                    .times(Tensor.of(weights, 9000, 8))
                    .sum()
                    .backward();
            return Tensor.besides(
                            scale.gradient().reshape(1, 8), shift.gradient().reshape(1, 8))
                    .toFloats();
        });
    }
}
