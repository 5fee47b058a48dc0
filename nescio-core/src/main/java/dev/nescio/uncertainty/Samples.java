// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.uncertainty.density.LogSumExp;
import java.util.HashMap;
import java.util.Map;

/**
 * Several softmax distributions per node, from members of an ensemble or from passes with dropout, by their moments alone:
 * memory does not grow with the number of samples.
 */
public final class Samples {

    private final int classes;
    private final double[] mean;
    private final double[] squares;
    private final double[] entropies;
    private int count;

    private Samples(int nodes, int classes) {
        this.classes = classes;
        this.mean = new double[nodes * classes];
        this.squares = new double[nodes * classes];
        this.entropies = new double[nodes];
    }

    /** Gathers samples that arrive in any order, from any thread; the result depends on their numbers alone. */
    public static final class Collector {

        private final Samples samples;
        private final Map<Integer, DenseMatrix> waiting = new HashMap<>();

        /** A collector for samples of so many nodes and classes. */
        public Collector(int nodes, int classes) {
            this.samples = new Samples(nodes, classes);
        }

        /** Sample {@code number}, counted from 0, as logits [nodes, classes]. */
        public synchronized void add(int number, DenseMatrix logits) {
            waiting.put(number, logits);
            while (waiting.containsKey(samples.count)) {
                samples.add(waiting.remove(samples.count));
            }
        }

        /**
         * All samples taken together. Throws {@link IllegalStateException} where none has arrived, or where one is missing
         * between others.
         */
        public synchronized Samples finish() {
            if (!waiting.isEmpty() || samples.count == 0) {
                throw new IllegalStateException("sample " + samples.count + " has not arrived");
            }
            return samples;
        }
    }

    /** Running means and sums of squared deviations, which do not cancel. */
    private void add(DenseMatrix logits) {
        count++;
        double[] row = new double[classes];
        for (int v = 0; v < entropies.length; v++) {
            for (int c = 0; c < classes; c++) {
                row[c] = logits.get(v, c);
            }
            double total = LogSumExp.of(row);
            double entropy = 0;
            for (int c = 0; c < classes; c++) {
                double logProbability = row[c] - total;
                double probability = Math.exp(logProbability);
                entropy -= probability == 0 ? 0 : probability * logProbability;
                int i = v * classes + c;
                double difference = probability - mean[i];
                mean[i] += difference / count;
                squares[i] += difference * (probability - mean[i]);
            }
            entropies[v] += (entropy - entropies[v]) / count;
        }
    }

    /** The number of nodes that every sample speaks of. */
    public int nodes() {
        return entropies.length;
    }

    /** By the mean of the distributions. */
    public Prediction prediction() {
        return Prediction.of(mean.clone(), classes);
    }

    /** The variance of the probability of a class, averaged over the classes. */
    public double[] variance() {
        double[] variance = new double[nodes()];
        for (int i = 0; i < squares.length; i++) {
            variance[i / classes] += squares[i] / count / classes;
        }
        return variance;
    }

    /** The entropy of the mean distribution, in nats: all of the uncertainty. */
    public double[] entropy() {
        double[] entropy = new double[nodes()];
        for (int i = 0; i < mean.length; i++) {
            entropy[i / classes] -= mean[i] == 0 ? 0 : mean[i] * Math.log(mean[i]);
        }
        return entropy;
    }

    /** What a node's label tells about which sample is right: the entropy of the mean less the mean entropy. */
    public double[] mutualInformation() {
        double[] information = entropy();
        for (int v = 0; v < information.length; v++) {
            information[v] = Math.max(0, information[v] - entropies[v]);
        }
        return information;
    }
}
