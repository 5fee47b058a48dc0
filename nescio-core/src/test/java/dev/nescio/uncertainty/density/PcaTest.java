// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.testing.RandomGraphs;
import org.junit.jupiter.api.Test;

class PcaTest {

    @Test
    void componentsAreOrthonormalAndKeepDistances() {
        DenseMatrix x = RandomGraphs.dense(5000, 7, 1);
        Pca pca = Pca.fit(x, new Keep.Count(7));

        for (int a = 0; a < 7; a++) {
            for (int b = 0; b < 7; b++) {
                double product = 0;
                for (int j = 0; j < 7; j++) {
                    product += pca.components().get(j, a) * pca.components().get(j, b);
                }
                assertThat(product).isCloseTo(a == b ? 1 : 0, within(1e-5));
            }
        }
        assertThat(pca.cumulativeShare()[6]).isCloseTo(1, within(1e-9));
    }

    /** With fewer rows than columns the Gram matrix is used; both ways span the same space. */
    @Test
    void moreColumnsThanRowsGiveTheSameVariances() {
        DenseMatrix tall = RandomGraphs.dense(12, 5, 3);
        float[] padded = new float[12 * 40];
        for (int i = 0; i < 12; i++) {
            System.arraycopy(tall.values(), i * 5, padded, i * 40, 5);
        }
        Pca narrow = Pca.fit(tall, new Keep.Share(0.8));
        Pca wide = Pca.fit(DenseMatrix.of(12, 40, padded), new Keep.Share(0.8));

        assertThat(wide.components().columns()).isEqualTo(narrow.components().columns());
        for (int i = 0; i < narrow.components().columns(); i++) {
            assertThat(wide.cumulativeShare()[i]).isCloseTo(narrow.cumulativeShare()[i], within(1e-6));
            double length = 0;
            for (int j = 0; j < 40; j++) {
                length += Math.pow(wide.components().get(j, i), 2);
            }
            assertThat(length).isCloseTo(1, within(1e-5));
        }
    }

    @Test
    void keepsTheSmallestNumberThatReachesTheShare() {
        DenseMatrix x = DenseMatrix.of(new float[][] {{3, 0}, {-3, 0}, {0, 1}, {0, -1}});

        assertThat(Pca.fit(x, new Keep.Share(0.9)).components().columns()).isEqualTo(1);
        assertThat(Pca.fit(x, new Keep.Share(0.91)).components().columns()).isEqualTo(2);
        assertThat(Pca.fit(x, new Keep.Share(1)).components().columns()).isEqualTo(2);
        assertThat(Pca.fit(x, new Keep.Count(9)).components().columns()).isEqualTo(2);
    }

    /** Squares of these overflow a float; libtorch would fail to decompose their covariance. */
    @Test
    void numbersWhoseCovarianceOverflowsAreRefused() {
        for (int rows : new int[] {3, 40}) {
            float[] large = new float[rows * 5];
            for (int i = 0; i < large.length; i++) {
                large[i] = i % 2 == 0 ? 1e30f : -1e30f;
            }
            // Three rows are decomposed in doubles, which hold their squares.
            DenseMatrix x = DenseMatrix.of(rows, 5, large);
            if (rows == 3) {
                assertThat(Pca.fit(x, new Keep.Count(2)).components().firstNotFinite())
                        .isNull();
            } else {
                assertThatThrownBy(() -> Pca.fit(x, new Keep.Count(2)))
                        .isInstanceOf(BadInput.class)
                        .hasMessageContaining("so large that their covariance overflows");
            }
        }
    }

    @Test
    void parsesWhatItPrints() {
        for (Keep keep :
                new Keep[] {new Keep.Share(0.95), new Keep.Count(16), new Keep.Everything(), new Keep.WhereWide()}) {
            assertThat(Keep.parse(keep.text())).isEqualTo(keep);
        }
        assertThatThrownBy(() -> Keep.parse("lots"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(
                        "expected a share of variance (0.95), a number of components (16), none or auto, got 'lots'");
        assertThatThrownBy(() -> Keep.parse("1.5"))
                .hasMessage("the share of variance to keep must be above 0 and at most 1, got 1.5");
    }

    @Test
    void onlyWideStatesAreReducedByWidth() {
        DenseMatrix narrow = RandomGraphs.dense(300, 128, 1);
        DenseMatrix wide = RandomGraphs.dense(300, 129, 1);

        assertThat(StateMap.fit(narrow, new Keep.WhereWide(), Scaling.NONE).dimensions())
                .isEqualTo(128);
        assertThat(StateMap.fit(wide, new Keep.WhereWide(), Scaling.NONE).dimensions())
                .isEqualTo(
                        StateMap.fit(wide, new Keep.Share(0.95), Scaling.NONE).dimensions())
                .isLessThan(129);
    }
}
