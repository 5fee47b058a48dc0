// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.uncertainty.density.LogSumExp;
import java.util.Arrays;
import java.util.List;

/**
 * What the network believes about each node.
 *
 * @param label the most probable class
 * @param probability of that class
 * @param distribution the probability of every class, node by node
 */
public record Prediction(int[] label, double[] probability, double[] distribution) {

    /** By the softmax of the logits, [nodes, classes], as they are: at temperature 1. */
    public static Prediction of(DenseMatrix logits) {
        return of(logits, 1);
    }

    /** By the softmax of the logits over a temperature. */
    public static Prediction of(DenseMatrix logits, double temperature) {
        int classes = logits.columns();
        double[] distribution = new double[logits.rows() * classes];
        double[] scaled = new double[classes];
        for (int i = 0; i < logits.rows(); i++) {
            for (int c = 0; c < classes; c++) {
                scaled[c] = logits.get(i, c) / temperature;
            }
            double total = LogSumExp.of(scaled);
            for (int c = 0; c < classes; c++) {
                distribution[i * classes + c] = Math.exp(scaled[c] - total);
            }
        }
        return of(distribution, classes);
    }

    /** By the probability of every class, node by node; of equal ones the first. */
    static Prediction of(double[] distribution, int classes) {
        int nodes = distribution.length / classes;
        int[] label = new int[nodes];
        double[] probability = new double[nodes];
        for (int i = 0; i < nodes; i++) {
            for (int c = 1; c < classes; c++) {
                label[i] = distribution[i * classes + c] > distribution[i * classes + label[i]] ? c : label[i];
            }
            probability[i] = distribution[i * classes + label[i]];
        }
        return new Prediction(label, probability, distribution);
    }

    /** What was believed before logits were divided by a temperature: {@code p} to the power of it, scaled to sum to 1. */
    public Prediction withoutTemperature(double temperature) {
        if (label.length == 0 || temperature == 1) {
            return this;
        }
        int classes = distribution.length / label.length;
        double[] plain = new double[distribution.length];
        for (int i = 0; i < label.length; i++) {
            double total = 0;
            for (int c = i * classes; c < (i + 1) * classes; c++) {
                plain[c] = Math.pow(distribution[c] / probability[i], temperature);
                total += plain[c];
            }
            for (int c = i * classes; c < (i + 1) * classes; c++) {
                plain[c] /= total;
            }
        }
        return of(plain, classes);
    }

    /** The predictions of some nodes after those of others. */
    public static Prediction joined(List<Prediction> parts) {
        return new Prediction(
                parts.stream().flatMapToInt(part -> Arrays.stream(part.label)).toArray(),
                parts.stream()
                        .flatMapToDouble(part -> Arrays.stream(part.probability))
                        .toArray(),
                parts.stream()
                        .flatMapToDouble(part -> Arrays.stream(part.distribution))
                        .toArray());
    }

    /** That of some nodes. */
    public Prediction of(int[] nodes) {
        int classes = label.length == 0 ? 0 : distribution.length / label.length;
        double[] chosen = new double[nodes.length * classes];
        for (int i = 0; i < nodes.length; i++) {
            System.arraycopy(distribution, nodes[i] * classes, chosen, i * classes, classes);
        }
        return new Prediction(
                Arrays.stream(nodes).map(v -> label[v]).toArray(),
                Arrays.stream(nodes).mapToDouble(v -> probability[v]).toArray(),
                chosen);
    }

    /** How noisy the prediction is: {@code 1 - max_c p_c}. */
    public double[] aleatoric() {
        double[] aleatoric = new double[probability.length];
        for (int i = 0; i < aleatoric.length; i++) {
            aleatoric[i] = 1 - probability[i];
        }
        return aleatoric;
    }
}
