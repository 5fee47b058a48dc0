// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * What a linear classifier can use (V-information, and a lower bound of the mutual information as far as the label's own
 * entropy is known): how many bits per node a softmax regression saves over always saying the class frequencies. Trained on
 * some nodes, its penalty and its last epoch chosen on others, judged on a third set.
 */
public final class Probe {

    private static final double[] PENALTIES = {0, 1e-4, 1e-3, 1e-2};
    private static final int EPOCHS = 300;
    private static final int EVERY = 10;
    private static final double RATE = 0.05;

    /** Rows of a matrix and the label of each. */
    public record Sample(DenseMatrix values, int[] labels) {}

    private Probe() {}

    /** Bits; 0 where no classifier does better than the frequencies on the validation nodes. */
    public static double estimate(Sample training, Sample validation, Sample test, int classes) {
        return Scope.run(() -> {
            Standard standard = Standard.of(training.values);
            Tensor x = Tensor.of(standard.apply(training.values));
            Tensor y = Tensor.labels(training.labels);
            Tensor chooseBy = Tensor.of(standard.apply(validation.values));
            Tensor judgeBy = Tensor.of(standard.apply(test.values));
            // Saying the frequencies is always possible.
            double best = frequencies(training.labels, validation.labels, classes);
            double judged = frequencies(training.labels, test.labels, classes);
            for (double penalty : PENALTIES) {
                Tensor weight = Tensor.zeros(training.values.columns(), classes).requireGradient();
                Tensor bias = Tensor.zeros(classes).requireGradient();
                try (Adam adam =
                        new Adam(List.of(new Adam.Moved(weight, RATE, penalty), new Adam.Moved(bias, RATE, 0)))) {
                    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
                        Scope.run(() -> {
                            x.product(weight, bias).crossEntropy(y).backward();
                            adam.step();
                            return true;
                        });
                        if (epoch % EVERY == 0) {
                            double validationLoss = loss(chooseBy, validation.labels, weight, bias);
                            if (validationLoss < best) {
                                best = validationLoss;
                                judged = loss(judgeBy, test.labels, weight, bias);
                            }
                        }
                    }
                }
            }
            return (frequencies(training.labels, test.labels, classes) - judged) / Math.log(2);
        });
    }

    private static double loss(Tensor x, int[] labels, Tensor weight, Tensor bias) {
        return Scope.run(() ->
                x.product(weight, bias).crossEntropy(Tensor.labels(labels)).item());
    }

    /** The cross-entropy of always saying the frequencies of the training nodes, in nats. */
    private static double frequencies(int[] training, int[] test, int classes) {
        double[] counts = new double[classes];
        Arrays.stream(training).forEach(label -> counts[label]++);
        return Arrays.stream(test)
                .mapToDouble(label -> -Math.log(Math.max(counts[label], 1e-3) / training.length))
                .average()
                .orElse(Double.NaN);
    }

    /** Every column with mean 0 and deviation 1, by the training nodes. */
    private record Standard(double[] mean, double[] deviation) {

        static Standard of(DenseMatrix values) {
            double[] mean = new double[values.columns()];
            double[] deviation = new double[values.columns()];
            for (int j = 0; j < mean.length; j++) {
                double sum = 0;
                double squares = 0;
                for (int i = 0; i < values.rows(); i++) {
                    sum += values.get(i, j);
                }
                mean[j] = sum / values.rows();
                for (int i = 0; i < values.rows(); i++) {
                    squares += Math.pow(values.get(i, j) - mean[j], 2);
                }
                deviation[j] = Math.max(1e-12, Math.sqrt(squares / values.rows()));
            }
            return new Standard(mean, deviation);
        }

        DenseMatrix apply(DenseMatrix values) {
            float[] scaled = new float[values.rows() * values.columns()];
            for (int i = 0; i < values.rows(); i++) {
                for (int j = 0; j < mean.length; j++) {
                    scaled[i * mean.length + j] = (float) ((values.get(i, j) - mean[j]) / deviation[j]);
                }
            }
            return DenseMatrix.of(values.rows(), values.columns(), scaled);
        }
    }
}
