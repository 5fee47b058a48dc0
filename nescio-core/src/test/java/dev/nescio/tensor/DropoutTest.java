// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.random.Seed;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DropoutTest {

    private final int threadsBefore = Engine.threads();

    @AfterEach
    void restoreThreads() {
        Engine.useThreads(threadsBefore);
    }

    private static float[] dropOnes(double rate, long seed, int size) {
        float[] ones = new float[size];
        Arrays.fill(ones, 1);
        return Scope.run(() ->
                new Dropout(rate, new Seed(seed)).apply(Tensor.of(ones, size)).toFloats());
    }

    @Test
    void dropsTheRateAndKeepsTheMean() {
        float[] values = dropOnes(0.2, 1, 1_000_003);
        int dropped = 0;
        double sum = 0;
        for (float value : values) {
            dropped += value == 0 ? 1 : 0;
            sum += value;
        }
        assertThat(dropped / 1_000_003.0).isCloseTo(0.2, within(0.002));
        assertThat(sum / 1_000_003).isCloseTo(1, within(0.003));
    }

    @Test
    void doesNotDependOnTheNumberOfThreads() {
        Engine.useThreads(1);
        float[] one = dropOnes(0.5, 3, 500_001);
        Engine.useThreads(3);

        assertThat(Arrays.equals(dropOnes(0.5, 3, 500_001), one)).isTrue();
    }

    /** Neighbours, entries one row below, and two masks side by side: a hash that is too weak shows here. */
    @Test
    void entriesAreDroppedIndependentlyOfEachOther() {
        float[] values = dropOnes(0.5, 4, 1 << 20);
        float[] others = dropOnes(0.5, 5, 1 << 20);
        for (int lag : new int[] {1, 2, 4, 63, 64, 512, 8192, 65536}) {
            assertThat(shareOfEqual(values, values, lag)).as("distance %d", lag).isCloseTo(0.5, within(0.003));
        }
        assertThat(shareOfEqual(values, others, 0)).isCloseTo(0.5, within(0.003));
    }

    private static double shareOfEqual(float[] a, float[] b, int lag) {
        int equal = 0;
        for (int i = lag; i < a.length; i++) {
            equal += a[i] == b[i - lag] ? 1 : 0;
        }
        return equal / (double) (a.length - lag);
    }

    @Test
    void eachUseDrawsAnew() {
        Scope.run(() -> {
            Dropout dropout = new Dropout(0.5, new Seed(1));
            float[] ones = new float[64];
            Arrays.fill(ones, 1);
            assertThat(dropout.apply(Tensor.of(ones, 64)).toFloats())
                    .isNotEqualTo(dropout.apply(Tensor.of(ones, 64)).toFloats());
        });
    }

    @Test
    void gradientPassesWhereTheValueWasKept() {
        Scope.run(() -> {
            float[] values = new float[1000];
            Arrays.fill(values, 2);
            Tensor x = Tensor.of(values, 1000).requireGradient();
            Tensor dropped = new Dropout(0.3, new Seed(9)).apply(x.times(1));
            float[] out = dropped.toFloats();
            dropped.sum().backward();
            float[] gradient = x.gradient().toFloats();
            for (int i = 0; i < 1000; i++) {
                assertThat(gradient[i]).isEqualTo(out[i] / 2);
            }
        });
    }

    @Test
    void dropoutThenGeluEqualsTheTwoStepsAndTheirGradients() {
        Scope.run(() -> {
            float[] values = new float[257];
            for (int i = 0; i < 257; i++) {
                values[i] = (i - 128) / 40f;
            }
            Tensor fused = Tensor.of(values, 257).requireGradient();
            Tensor plain = Tensor.of(values, 257).requireGradient();
            Tensor fusedOut = new Dropout(0.4, new Seed(2)).applyThenGelu(fused.times(1));
            Tensor plainOut =
                    new Dropout(0.4, new Seed(2)).apply(plain.times(1)).gelu();
            assertThat(fusedOut.toFloats()).containsExactly(plainOut.toFloats(), within(2e-6f));
            fusedOut.times(Tensor.of(values, 257)).sum().backward();
            plainOut.times(Tensor.of(values, 257)).sum().backward();
            assertThat(fused.gradient().toFloats())
                    .containsExactly(plain.gradient().toFloats(), within(1e-5f));
        });
    }

    @Test
    void offChangesNothing() {
        Scope.run(() -> {
            Tensor x = Tensor.of(new float[] {1, -2, 3}, 3);
            assertThat(Dropout.OFF.apply(x).toFloats()).containsExactly(1, -2, 3);
            assertThat(Dropout.OFF.applyThenGelu(x).toFloats())
                    .containsExactly(x.gelu().toFloats());
        });
    }

    /** A sum that reused the memory of what was dropped would lose the hook that masks its gradient. */
    @Test
    void whatIsAddedToDroppedEntriesDoesNotDisturbTheirGradient() {
        float[] gradient = Scope.run(() -> {
            float[] ones = new float[64];
            Arrays.fill(ones, 1);
            Tensor x = Tensor.of(ones, 8, 8).requireGradient();
            Tensor other = Tensor.of(ones, 8, 8).requireGradient();
            Dropout dropout = new Dropout(0.5, new Seed(1));
            dropout.apply(x.times(1)).plusReusing(other).sum().backward();
            return x.gradient().toFloats();
        });

        assertThat(gradient).contains(0f, 2f).doesNotContain(1f);
    }
}
