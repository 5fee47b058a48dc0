// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import org.junit.jupiter.api.Test;

class TemperatureTest {

    private static final int NODES = 20_000;

    /** Labels drawn from the softmax of some logits; the network shouts three times as loud. */
    @Test
    void findsTheTemperatureThatLabelsWereDrawnAt() {
        Rng rng = new Rng(1);
        float[] loud = new float[NODES * 2];
        int[] labels = new int[NODES];
        for (int v = 0; v < NODES; v++) {
            double logit = 2 * rng.nextGaussian();
            loud[2 * v] = (float) (3 * logit);
            labels[v] = rng.nextDouble() < 1 / (1 + Math.exp(-logit)) ? 0 : 1;
        }
        double temperature =
                Temperature.fit(DenseMatrix.of(NODES, 2, loud), labels, NodeSet.where(NODES, v -> v % 2 == 0));

        assertThat(temperature).isCloseTo(3, within(0.2));
    }

    @Test
    void isNoWorseThanItsNeighbours() {
        DenseMatrix logits = DenseMatrix.of(4, 3, new float[] {1, 0, 2, 3, 1, 0, 0, 2, 1, 1, 1, 4});
        int[] labels = {2, 0, 2, 2};
        NodeSet all = NodeSet.of(0, 1, 2, 3);
        double best = Temperature.fit(logits, labels, all);

        assertThat(loss(logits, labels, best)).isLessThan(loss(logits, labels, best * 1.01));
        assertThat(loss(logits, labels, best)).isLessThan(loss(logits, labels, best / 1.01));
    }

    private static double loss(DenseMatrix logits, int[] labels, double temperature) {
        double loss = 0;
        for (int v = 0; v < labels.length; v++) {
            double total = 0;
            for (int c = 0; c < logits.columns(); c++) {
                total += Math.exp(logits.get(v, c) / temperature);
            }
            loss += Math.log(total) - logits.get(v, labels[v]) / temperature;
            for (int c = 0; c < logits.columns(); c++) {
                double share = 1.0 / (logits.columns() * labels.length);
                loss += share * (Math.log(total) - logits.get(v, c) / temperature);
            }
        }
        return loss;
    }

    /** Two nodes and one that may be either: two and a half of three are right. */
    @Test
    void nodesThatAreAllRightDoNotPromiseThatTheNextOneIs() {
        DenseMatrix logits = DenseMatrix.of(2, 2, new float[] {5, 0, 0, 5});

        double temperature = Temperature.fit(logits, new int[] {0, 1}, NodeSet.of(0, 1));

        assertThat(1 / (1 + Math.exp(-5 / temperature))).isCloseTo(2.5 / 3, within(1e-6));
    }
}
