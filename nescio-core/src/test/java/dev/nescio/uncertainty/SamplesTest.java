// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.testing.RandomGraphs;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {

    private static final int NODES = 7;
    private static final int CLASSES = 3;

    private final List<DenseMatrix> logits = IntStream.range(0, 6)
            .mapToObj(i -> RandomGraphs.dense(NODES, CLASSES, i))
            .toList();

    private Samples inOrder(int... order) {
        Samples.Collector collector = new Samples.Collector(NODES, CLASSES);
        for (int i : order) {
            collector.add(i, logits.get(i));
        }
        return collector.finish();
    }

    private double[] softmax(int sample, int node) {
        double[] p = new double[CLASSES];
        double total = 0;
        for (int c = 0; c < CLASSES; c++) {
            p[c] = Math.exp(logits.get(sample).get(node, c));
            total += p[c];
        }
        for (int c = 0; c < CLASSES; c++) {
            p[c] /= total;
        }
        return p;
    }

    @Test
    void momentsAreThoseOfAllSamplesAtOnce() {
        Samples samples = inOrder(0, 1, 2, 3, 4, 5);
        for (int v = 0; v < NODES; v++) {
            double variance = 0;
            double entropyOfMean = 0;
            double meanEntropy = 0;
            double largest = 0;
            for (int c = 0; c < CLASSES; c++) {
                double mean = 0;
                for (int s = 0; s < 6; s++) {
                    mean += softmax(s, v)[c] / 6;
                    meanEntropy -= softmax(s, v)[c] * Math.log(softmax(s, v)[c]) / 6;
                }
                for (int s = 0; s < 6; s++) {
                    variance += Math.pow(softmax(s, v)[c] - mean, 2) / 6 / CLASSES;
                }
                entropyOfMean -= mean * Math.log(mean);
                largest = Math.max(largest, mean);
            }
            assertThat(samples.variance()[v]).isCloseTo(variance, within(1e-12));
            assertThat(samples.entropy()[v]).isCloseTo(entropyOfMean, within(1e-12));
            assertThat(samples.mutualInformation()[v]).isCloseTo(entropyOfMean - meanEntropy, within(1e-12));
            assertThat(samples.prediction().probability()[v]).isCloseTo(largest, within(1e-12));
        }
    }

    @Test
    void theOrderOfArrivalDoesNotMatter() {
        assertThat(inOrder(5, 0, 2, 1, 4, 3).variance())
                .containsExactly(inOrder(0, 1, 2, 3, 4, 5).variance());
    }

    @Test
    void samplesThatAgreeHaveNoVarianceAndNoInformation() {
        Samples.Collector collector = new Samples.Collector(1, 2);
        DenseMatrix sure = DenseMatrix.of(1, 2, new float[] {2000, -2000});
        collector.add(0, sure);
        collector.add(1, sure);
        Samples samples = collector.finish();

        assertThat(samples.variance()).containsExactly(0);
        assertThat(samples.mutualInformation()).containsExactly(0);
        assertThat(samples.entropy()).containsExactly(0);
    }

    @Test
    void aMissingSampleIsNoticed() {
        Samples.Collector collector = new Samples.Collector(NODES, CLASSES);
        collector.add(1, logits.get(1));

        assertThatThrownBy(collector::finish).hasMessageContaining("sample 0");
    }
}
