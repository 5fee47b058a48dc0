package dev.nescio.uncertainty;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.uncertainty.density.LogSumExp;

/**
 * What the network believes about each node.
 *
 * @param label the most probable class
 * @param probability of that class
 */
public record Prediction(int[] label, double[] probability) {

    public static Prediction of(DenseMatrix logits) {
        return of(logits, 1);
    }

    /** By the softmax of the logits over a temperature. */
    public static Prediction of(DenseMatrix logits, double temperature) {
        int nodes = logits.rows();
        int classes = logits.columns();
        int[] label = new int[nodes];
        double[] probability = new double[nodes];
        double[] scaled = new double[classes];
        for (int i = 0; i < nodes; i++) {
            for (int c = 1; c < classes; c++) {
                label[i] = logits.get(i, c) > logits.get(i, label[i]) ? c : label[i];
            }
            for (int c = 0; c < classes; c++) {
                scaled[c] = logits.get(i, c) / temperature;
            }
            probability[i] = Math.exp(scaled[label[i]] - LogSumExp.of(scaled));
        }
        return new Prediction(label, probability);
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
