// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TwoSampleTest {

    /** A lady who tells four cups of eight: 1/70 on each side. */
    @Test
    void sharesAreComparedExactly() {
        assertThat(TwoSample.shares(4, 4, 0, 4)).isCloseTo(2.0 / 70, within(1e-10));
        assertThat(TwoSample.shares(3, 4, 1, 4)).isCloseTo(34.0 / 70, within(1e-10));
        assertThat(TwoSample.shares(0, 5, 0, 9)).isCloseTo(1, within(1e-10));
        assertThat(TwoSample.shares(5, 5, 9, 9)).isCloseTo(1, within(1e-10));
        assertThat(TwoSample.shares(2, 6, 3, 11)).isCloseTo(TwoSample.shares(3, 11, 2, 6), within(1e-10));
    }

    @Test
    void oneOfManyTestsMaySpeak() {
        assertThat(TwoSample.any(new double[] {0.01, 0.9, 0.8, 0.7})).isCloseTo(0.04, within(1e-12));
        assertThat(TwoSample.any(new double[] {0.02, 0.02, 0.02, 0.02})).isCloseTo(0.02, within(1e-12));
        assertThat(TwoSample.any(new double[] {1, 1})).isEqualTo(1);
    }

    /** By brute force over all 70 ways to part eight values. */
    @Test
    void permutationsComeCloseToAllOfThem() {
        double[] values = {0.1, 0.4, 0.5, 0.9, 1.1, 1.2, 1.7, 2.5};
        double observed = gap(values, IntStream.range(0, 8).toArray());
        int atLeast = 0;
        int all = 0;
        for (int mask = 0; mask < 256; mask++) {
            if (Integer.bitCount(mask) == 4) {
                int chosen = mask;
                int[] order = IntStream.concat(
                                IntStream.range(0, 8).filter(i -> (chosen >> i & 1) == 1),
                                IntStream.range(0, 8).filter(i -> (chosen >> i & 1) == 0))
                        .toArray();
                atLeast += gap(values, order) >= observed - 1e-12 ? 1 : 0;
                all++;
            }
        }
        double exact = (double) atLeast / all;

        double[] got = IntStream.range(0, 200)
                .mapToDouble(i -> Permutations.pValue(8, order -> gap(values, order), 2000, new Seed(i)))
                .toArray();

        assertThat(Arrays.stream(got).average().orElseThrow()).isCloseTo(exact, within(0.01));
    }

    private static double gap(double[] values, int[] order) {
        double sum = 0;
        for (int i = 0; i < 8; i++) {
            sum += (i < 4 ? 1 : -1) * values[order[i]];
        }
        return Math.abs(sum);
    }

    private static DenseMatrix normal(Rng rng, int rows, double mean, double deviation) {
        float[] values = new float[rows * 5];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (mean + deviation * rng.nextGaussian());
        }
        return DenseMatrix.of(rows, 5, values);
    }

    /** Alarms at the level where nothing differs, and always where the mean or only the spread does. */
    @Test
    void vectorsOfTheSameSourceRarelyDiffer() {
        Rng rng = new Rng(4);
        int alarms = 0;
        int moved = 0;
        int wider = 0;
        int rounds = 200;
        for (int i = 0; i < rounds; i++) {
            DenseMatrix usual = normal(rng, 60, 0, 1);
            alarms += pValue(usual, normal(rng, 40, 0, 1), i) <= 0.05 ? 1 : 0;
            moved += pValue(usual, normal(rng, 40, 0.8, 1), i) <= 0.05 ? 1 : 0;
            wider += pValue(usual, normal(rng, 40, 0, 2.5), i) <= 0.05 ? 1 : 0;
        }
        assertThat(alarms).isBetween(2, 20);
        assertThat(moved).isEqualTo(rounds);
        assertThat(wider).isEqualTo(rounds);
    }

    private static double pValue(DenseMatrix first, DenseMatrix second, int seed) {
        return SampleTests.vectors(first, second, 199, new Seed(seed)).pValue();
    }

    @Test
    void equalVectorsDoNotDiffer() {
        DenseMatrix same = DenseMatrix.of(6, 2, new float[12]);

        assertThat(pValue(same, same, 1)).isEqualTo(1);
    }

    @Test
    void sharesOfClassesAreCompared() {
        int[] usual = IntStream.range(0, 90).map(i -> i % 3).toArray();
        int[] likewise = IntStream.range(0, 31).map(i -> i % 3).toArray();
        int[] other = IntStream.range(0, 31).map(i -> i % 4 == 0 ? 1 : 2).toArray();

        assertThat(SampleTests.classes(usual, likewise, 3, 999, new Seed(0)).pValue())
                .isGreaterThan(0.9);
        SampleTests.Result different = SampleTests.classes(usual, other, 4, 999, new Seed(0));
        assertThat(different.pValue()).isEqualTo(0.001);
        assertThat(different.difference()).isCloseTo(23.0 / 31 - 1.0 / 3, within(1e-12));
    }
}
