// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimatorsTest {

    @ParameterizedTest
    @CsvSource({"1, -0.5772156649015329", "0.5, -1.9635100260214235", "3, 0.9227843350984671", "100, 4.600161852738087"
    })
    void digammaIsTheKnownOne(double x, double expected) {
        assertThat(Digamma.of(x)).isCloseTo(expected, within(1e-12));
    }

    /** Two normals per label, one dimension: the truth is an integral. */
    private static double truth(double distance) {
        double information = 0;
        double step = 1e-3;
        for (double x = -12; x < distance + 12; x += step) {
            double a = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
            double b = Math.exp(-(x - distance) * (x - distance) / 2) / Math.sqrt(2 * Math.PI);
            double mixture = (a + b) / 2;
            information += step / 2 * (a == 0 ? 0 : a * Math.log(a / mixture));
            information += step / 2 * (b == 0 ? 0 : b * Math.log(b / mixture));
        }
        return information / Math.log(2);
    }

    private record Mixture(DenseMatrix values, int[] labels) {

        static Mixture of(int samples, int dimensions, double distance, long seed) {
            Rng rng = new Rng(seed);
            float[] values = new float[samples * dimensions];
            int[] labels = new int[samples];
            for (int i = 0; i < samples; i++) {
                labels[i] = rng.nextInt(2);
                for (int j = 0; j < dimensions; j++) {
                    values[i * dimensions + j] = (float) (rng.nextGaussian() + (j == 0 ? distance * labels[i] : 0));
                }
            }
            return new Mixture(DenseMatrix.of(samples, dimensions, values), labels);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0.04", "1, 1, 0.04", "2, 1, 0.04", "4, 1, 0.04", "2, 3, 0.08"})
    void rossIsCloseToTheTruth(double distance, int dimensions, double error) {
        Mixture mixture = Mixture.of(4000, dimensions, distance, 3);

        assertThat(new Ross(5).estimate(mixture.values, new int[][] {mixture.labels})[0])
                .isCloseTo(truth(distance), within(error));
    }

    @Test
    void rossOfPermutedLabelsIsCloseToNothing() {
        Mixture mixture = Mixture.of(2000, 2, 3, 4);
        int[] permuted = mixture.labels.clone();
        new Rng(5).shuffle(permuted);
        double[] both = new Ross(5).estimate(mixture.values, new int[][] {mixture.labels, permuted});

        assertThat(both[0]).isGreaterThan(0.6);
        assertThat(both[1]).isCloseTo(0, within(0.04));
    }

    /** The formula as it stands in the paper, with sorted lists. */
    @Test
    void rossEqualsTheBruteForceTwin() {
        Mixture mixture = Mixture.of(150, 3, 1.5, 6);
        int[] labels = mixture.labels.clone();
        labels[7] = 2; // Nobody shares this one.
        int k = 4;
        double sum = 0;
        int counted = 0;
        Points points = new Points(mixture.values, 0);
        double[] distances = new double[150];
        for (int i = 0; i < 150; i++) {
            if (i == 7) {
                continue;
            }
            points.squaredDistances(i, distances);
            int own = i;
            double[] same = IntStream.range(0, 150)
                    .filter(j -> j != own && labels[j] == labels[own])
                    .mapToDouble(j -> distances[j])
                    .sorted()
                    .toArray();
            long inside = IntStream.range(0, 150)
                    .filter(j -> j != own && j != 7 && distances[j] < same[k - 1])
                    .count();
            sum += Digamma.of(k) - Digamma.of(same.length + 1) - Digamma.of(inside + 1);
            counted++;
        }
        double expected = (Digamma.of(counted) + sum / counted) / Math.log(2);

        assertThat(new Ross(k).estimate(mixture.values, new int[][] {labels})[0])
                .isCloseTo(expected, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"0", "0.5", "0.9"})
    void ksgIsCloseToTheTruthForNormals(double correlation) {
        Rng rng = new Rng(7);
        float[] x = new float[3000];
        float[] y = new float[3000];
        for (int i = 0; i < x.length; i++) {
            double shared = rng.nextGaussian();
            x[i] = (float) shared;
            y[i] = (float) (correlation * shared + Math.sqrt(1 - correlation * correlation) * rng.nextGaussian());
        }
        double truth = -0.5 * Math.log(1 - correlation * correlation) / Math.log(2);

        assertThat(new Ksg(4).estimate(DenseMatrix.of(3000, 1, x), DenseMatrix.of(3000, 1, y)))
                .isCloseTo(truth, within(0.05));
    }

    @Test
    void ksgEqualsTheBruteForceTwin() {
        Mixture a = Mixture.of(120, 2, 1, 8);
        Mixture b = Mixture.of(120, 1, 0, 9);
        Points left = new Points(a.values, 1);
        Points right = new Points(b.values, 2);
        double sum = 0;
        double[] inX = new double[120];
        double[] inY = new double[120];
        for (int i = 0; i < 120; i++) {
            left.maximumDistances(i, inX);
            right.maximumDistances(i, inY);
            double[] joint = new double[120];
            for (int j = 0; j < 120; j++) {
                joint[j] = Math.max(inX[j], inY[j]);
            }
            // The smallest is the sample itself.
            double radius = Arrays.stream(joint).sorted().toArray()[3];
            long closeX = Arrays.stream(inX).filter(d -> d < radius).count() - 1;
            long closeY = Arrays.stream(inY).filter(d -> d < radius).count() - 1;
            sum += Digamma.of(closeX + 1) + Digamma.of(closeY + 1);
        }
        double expected = (Digamma.of(120) + Digamma.of(3) - sum / 120) / Math.log(2);

        assertThat(new Ksg(3).estimate(a.values, b.values)).isCloseTo(expected, within(1e-12));
    }

    /** A linear classifier is the right one for two normals with one covariance: it can use nearly all there is. */
    @ParameterizedTest
    @CsvSource({"0", "2", "4"})
    void theProbeIsALowerBoundThatIsNearlyReached(double distance) {
        Probe.Sample[] samples = new Probe.Sample[3];
        for (int i = 0; i < 3; i++) {
            Mixture mixture = Mixture.of(2000, 3, distance, 10 + i);
            samples[i] = new Probe.Sample(mixture.values, mixture.labels);
        }
        double bits = Probe.estimate(samples[0], samples[1], samples[2], 2);

        assertThat(bits).isBetween(truth(distance) - 0.05, truth(distance) + 0.03);
    }
}
