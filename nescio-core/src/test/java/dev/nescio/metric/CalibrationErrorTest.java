// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.testing.Golden;
import org.junit.jupiter.api.Test;

class CalibrationErrorTest {

    @Test
    void isGolden() {
        DenseMatrix probabilities = Golden.matrix("calibration", "probs");
        int[] labels = Golden.ints("calibration", "y");
        double[] all = new double[labels.length * 3];
        double[] confidence = new double[labels.length];
        boolean[] right = new boolean[labels.length];
        for (int i = 0; i < labels.length; i++) {
            int best = 0;
            for (int c = 0; c < 3; c++) {
                all[3 * i + c] = probabilities.get(i, c);
                best = probabilities.get(i, c) > probabilities.get(i, best) ? c : best;
            }
            confidence[i] = all[3 * i + best];
            right[i] = best == labels[i];
        }
        CalibrationError.Brier brier = CalibrationError.Brier.of(all, labels);

        assertThat(CalibrationError.error(confidence, right, 10))
                .isCloseTo(Golden.at("calibration", "ece10").asDouble(), within(1e-6));
        assertThat(CalibrationError.error(confidence, right, 20))
                .isCloseTo(Golden.at("calibration", "ece20").asDouble(), within(1e-6));
        assertThat(brier.distance())
                .isCloseTo(Golden.at("calibration", "brier_norm_mean").asDouble(), within(1e-6));
        assertThat(brier.squared())
                .isCloseTo(Golden.at("calibration", "brier_squared_mean").asDouble(), within(1e-6));
    }

    /** Two bins of two: (0.5, 0.6] has mean 0.575 and one right, (0.9, 1] has mean 0.975 and both right. */
    @Test
    void errorByHand() {
        double[] confidence = {0.55, 0.6, 0.95, 1};
        boolean[] right = {true, false, true, true};

        assertThat(CalibrationError.error(confidence, right, 10))
                .isCloseTo(0.5 * Math.abs(0.5 - 0.575) + 0.5 * Math.abs(1 - 0.975), within(1e-12));
    }

    @Test
    void rightEndsBelongToABinAndLeftEndsDoNot() {
        assertThat(CalibrationError.error(new double[] {0.5, 0.5000001}, new boolean[] {true, false}, 2))
                .isCloseTo(0.5, within(1e-6));
        assertThat(CalibrationError.error(new double[] {0.5, 0.4}, new boolean[] {true, false}, 2))
                .isCloseTo(0.05, within(1e-12));
    }

    @Test
    void errorEqualsTheBruteForceTwin() {
        Rng rng = new Rng(2);
        double[] confidence = new double[500];
        boolean[] right = new boolean[500];
        for (int i = 0; i < 500; i++) {
            confidence[i] = rng.nextDouble();
            right[i] = rng.nextDouble() < 0.6;
        }
        double expected = 0;
        for (int b = 0; b < 15; b++) {
            int count = 0;
            double hits = 0;
            double sum = 0;
            for (int i = 0; i < 500; i++) {
                if (confidence[i] > b / 15.0 && confidence[i] <= (b + 1) / 15.0) {
                    count++;
                    hits += right[i] ? 1 : 0;
                    sum += confidence[i];
                }
            }
            expected += count == 0 ? 0 : count / 500.0 * Math.abs(hits / count - sum / count);
        }
        assertThat(CalibrationError.error(confidence, right, 15)).isCloseTo(expected, within(1e-12));
    }

    @Test
    void brierByHand() {
        CalibrationError.Brier brier = CalibrationError.Brier.of(new double[] {0.7, 0.3, 0, 1}, new int[] {0, 0});

        assertThat(brier.squared()).isCloseTo((0.18 + 2) / 2, within(1e-12));
        assertThat(brier.distance()).isCloseTo((Math.sqrt(0.18) + Math.sqrt(2)) / 2, within(1e-12));
    }

    /** The squared distance from a corner is |p|^2 - 2 p_y + 1. */
    @Test
    void brierEqualsItsTwin() {
        Rng rng = new Rng(5);
        int classes = 4;
        double[] distributions = new double[100 * classes];
        int[] labels = new int[100];
        double distance = 0;
        double squared = 0;
        for (int i = 0; i < 100; i++) {
            double sum = 0;
            for (int c = 0; c < classes; c++) {
                distributions[i * classes + c] = rng.nextDouble();
                sum += distributions[i * classes + c];
            }
            labels[i] = rng.nextInt(classes);
            double norm = 0;
            for (int c = 0; c < classes; c++) {
                distributions[i * classes + c] /= sum;
                norm += Math.pow(distributions[i * classes + c], 2);
            }
            double off = norm - 2 * distributions[i * classes + labels[i]] + 1;
            squared += off / 100;
            distance += Math.sqrt(off) / 100;
        }
        CalibrationError.Brier brier = CalibrationError.Brier.of(distributions, labels);

        assertThat(brier.squared()).isCloseTo(squared, within(1e-12));
        assertThat(brier.distance()).isCloseTo(distance, within(1e-12));
    }

    @Test
    void nothingHasNoScore() {
        assertThat(CalibrationError.error(new double[0], new boolean[0], 10)).isNaN();
        assertThat(CalibrationError.Brier.of(new double[0], new int[0]).distance())
                .isNaN();
    }
}
