// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.testing.Golden;
import dev.nescio.testing.RandomGraphs;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DensitiesTest {

    private final List<DenseMatrix> states = List.of(Golden.matrix("jlde", "H0"), Golden.matrix("jlde", "H1"));
    private final JointEmbedding embedding = JointEmbedding.fit(states, new Keep.Share(0.95), Scaling.NONE);
    private final DenseMatrix all = embedding.apply(states, 0, 8);
    private final DenseMatrix training = embedding.apply(states, Golden.ints("jlde", "train"));

    private static void assertClose(double[] got, double[] expected, double tolerance) {
        assertThat(got).hasSameSizeAs(expected);
        for (int i = 0; i < got.length; i++) {
            assertThat(got[i]).as("row %d", i).isCloseTo(expected[i], within(tolerance));
        }
    }

    @Test
    void mixtureIsGolden() {
        GaussianMixture mixture =
                new GaussianMixture(ClassGaussians.fit(training, Golden.ints("jlde", "mog_labels_train"), 2), true);

        assertClose(mixture.negativeLogDensity(all), Golden.doubles("jlde", "u_mog_neg_log_density"), 1e-4);
    }

    @Test
    void kernelsAreGolden() {
        try (KernelDensity kernels = new KernelDensity(training, 1)) {
            assertClose(
                    kernels.negativeLogDensity(all), Golden.doubles("jlde", "u_kde_bandwidth1_neg_log_mean_rbf"), 1e-5);
        }
    }

    /** Over several blocks, near and so far that every exponential underflows, and so narrow that floats do not do. */
    @Test
    void kernelsEqualTheBruteForceTwin() {
        DenseMatrix rows = RandomGraphs.dense(2500, 7, 1);
        float[] values = RandomGraphs.dense(40, 7, 2).values().clone();
        for (int i = 0; i < 7 * 10; i++) {
            values[i] *= 1000;
        }
        DenseMatrix queries = DenseMatrix.of(40, 7, values);
        for (double bandwidth : new double[] {0.01, 0.7, 3}) {
            try (KernelDensity kernels = new KernelDensity(rows, bandwidth)) {
                double[] got = kernels.negativeLogDensity(queries);
                for (int q = 0; q < 40; q++) {
                    double expected = bruteForce(rows, queries, q, bandwidth);
                    assertThat(got[q])
                            .as("query %d, bandwidth %s", q, bandwidth)
                            .isCloseTo(expected, within(1e-4 + 1e-6 * Math.abs(expected)));
                }
            }
        }
    }

    /** A query that is a training row: near others, and so far that all but nothing is left without itself. */
    @Test
    void kernelsLeaveARowOutAsIfItHadNotBeenThere() {
        float[] values = RandomGraphs.dense(1300, 7, 1).values().clone();
        for (int j = 0; j < 7; j++) {
            values[1200 * 7 + j] *= 1000;
        }
        DenseMatrix rows = DenseMatrix.of(1300, 7, values);
        int[] itself = {3, -1, 700, 1200};
        DenseMatrix queries = rows.select(new int[] {3, 4, 700, 1200});
        try (KernelDensity kernels = new KernelDensity(rows, 0.7)) {
            double[] got = kernels.negativeLogDensity(queries, itself);
            for (int q = 0; q < itself.length; q++) {
                int out = itself[q];
                DenseMatrix others = rows.select(
                        IntStream.range(0, 1300).filter(row -> row != out).toArray());
                double expected = bruteForce(others, queries, q, 0.7);
                assertThat(got[q]).as("query %d", q).isCloseTo(expected, within(1e-4 + 1e-6 * Math.abs(expected)));
            }
        }
    }

    /** Distances from all classes come from products; those from differences are their twins. */
    @Test
    void distancesFromClassesEqualTheBruteForceTwin() {
        DenseMatrix rows = RandomGraphs.dense(300, 9, 5);
        int[] labels = IntStream.range(0, 300).map(i -> i % 4).toArray();
        ClassGaussians gaussians = ClassGaussians.fit(rows, labels, 4);

        double[] got = gaussians.squaredDistances(rows, 100, 50);

        for (int i = 0; i < got.length; i++) {
            double expected = 0;
            for (int j = 0; j < 9; j++) {
                double difference = rows.get(100 + i / 4, j) - gaussians.means()[i % 4][j];
                expected += difference * difference / gaussians.variances()[i % 4][j];
            }
            assertThat(got[i]).isCloseTo(expected, within(1e-9 * (1 + expected)));
        }
    }

    private static double bruteForce(DenseMatrix rows, DenseMatrix queries, int q, double bandwidth) {
        double[] exponents = new double[rows.rows()];
        for (int r = 0; r < exponents.length; r++) {
            for (int d = 0; d < rows.columns(); d++) {
                exponents[r] -= Math.pow((double) queries.get(q, d) - rows.get(r, d), 2) / (2 * bandwidth * bandwidth);
            }
        }
        double highest = Arrays.stream(exponents).max().orElseThrow();
        double sum = Arrays.stream(exponents).map(e -> Math.exp(e - highest)).sum();
        return -(highest + Math.log(sum / exponents.length));
    }

    @Test
    void aClassWithOneRowAndConstantColumnsAreRepaired() {
        DenseMatrix rows = DenseMatrix.of(new float[][] {{1, 5}, {3, 5}, {9, 9}});
        ClassGaussians gaussians = ClassGaussians.fit(rows, new int[] {0, 0, 1}, 3);

        assertThat(gaussians.variances()[0][0]).isCloseTo(1 + 1.11e-6, within(1e-12));
        assertThat(gaussians.variances()[0][1]).isCloseTo(1.11e-6, within(1e-12));
        assertThat(gaussians.variances()[1])
                .containsExactly(gaussians.variances()[0][1], gaussians.variances()[0][1]);
        GaussianMixture mixture = new GaussianMixture(gaussians, false);
        double[] scores = mixture.negativeLogDensity(rows);
        assertThat(scores[2]).isFinite().isLessThan(scores[0]);
    }

    @Test
    void bandwidthsFollowTheirRules() {
        DenseMatrix rows = DenseMatrix.of(new float[][] {{0, 0}, {2, 0}, {4, 0}, {10, 0}});
        double variance = (16 + 4 + 0 + 36) / 4.0 / 2;

        assertThat(new Bandwidth.Scale().of(rows)).isCloseTo(Math.sqrt(2 * variance / 2), within(1e-9));
        assertThat(new Bandwidth.Scott().of(rows)).isCloseTo(Math.pow(4, -1.0 / 6) * Math.sqrt(variance), within(1e-9));
        assertThat(new Bandwidth.Median().of(rows)).isEqualTo(2);
        assertThat(new Bandwidth.Scale().of(DenseMatrix.of(3, 1, new float[3]))).isEqualTo(1);
        assertThat(Bandwidth.parse("0.5")).isEqualTo(new Bandwidth.Fixed(0.5));
        assertThat(Bandwidth.parse("scott")).isEqualTo(new Bandwidth.Scott());
        assertThatThrownBy(() -> Bandwidth.parse("wide"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("expected a bandwidth (0.5), scale, scott or median, got 'wide'");
        assertThatThrownBy(() -> new Bandwidth.Fixed(0)).hasMessage("the bandwidth must be positive, got 0.0");
    }
}
