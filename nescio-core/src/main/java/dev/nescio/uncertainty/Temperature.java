// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.uncertainty.density.LogSumExp;

/**
 * One number that all logits are divided by, so that probabilities are as right as they claim (Guo et al. 2017). Changes
 * no predicted class and no estimator that goes by states or by raw logits.
 */
public final class Temperature {

    /** Colder, probabilities would round to 1 and all look alike. */
    private static final double COLDEST = 0.25;

    private static final double HOTTEST = 20;
    private static final int HALVINGS = 60;

    private Temperature() {}

    /** When a temperature is fitted. */
    public enum Fitting {
        /** Where enough labelled nodes are held out that have chosen nothing else. */
        AUTO,
        /** Always, if need be on the validation nodes that chose the best epoch. */
        TRUE,
        /** Never: probabilities are those of the network. */
        FALSE
    }

    /** Labelled nodes that make a temperature worth more than none. */
    public static final int ENOUGH = 30;

    /**
     * The temperature of the greatest likelihood of the labels of some nodes, and of one more that may have any label, as if it
     * were all of them in turn: a few nodes that are all right must not promise that the next one is. The likelihood is concave
     * in one over the temperature, so its slope is halved in; nodes that are no better than chance end at a limit.
     */
    public static double fit(DenseMatrix logits, int[] labels, NodeSet nodes) {
        double low = Math.log(COLDEST);
        double high = Math.log(HOTTEST);
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (slope(logits, labels, nodes, Math.exp(-middle)) > 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Math.exp((low + high) / 2);
    }

    /** Of the log-likelihood at one over the temperature: the sum of the true logit less the expected one. */
    private static double slope(DenseMatrix logits, int[] labels, NodeSet nodes, double inverse) {
        double[] scaled = new double[logits.columns()];
        double slope = 0;
        for (int v : nodes.toArray()) {
            for (int c = 0; c < scaled.length; c++) {
                scaled[c] = inverse * logits.get(v, c);
            }
            double total = LogSumExp.of(scaled);
            double expected = 0;
            double average = 0;
            for (int c = 0; c < scaled.length; c++) {
                expected += Math.exp(scaled[c] - total) * logits.get(v, c);
                average += logits.get(v, c) / (double) scaled.length;
            }
            slope += logits.get(v, labels[v]) - expected + (average - expected) / nodes.size();
        }
        return slope;
    }
}
