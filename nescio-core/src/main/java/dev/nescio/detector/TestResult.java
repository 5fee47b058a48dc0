// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.metric.Accuracy;
import dev.nescio.metric.CalibrationError;
import dev.nescio.metric.Roc;
import dev.nescio.uncertainty.Prediction;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How a detector predicts labelled nodes that it has not learned from.
 *
 * @param nodes of classes that it knows
 * @param accuracy NaN where there are no nodes, like all that follow
 * @param largestClass the most frequent one of these nodes; empty where there are none
 * @param largestShare the accuracy of always saying that one
 * @param rocAuc how well the probability ranks two classes; NaN for more
 * @param meanProbability of the predicted classes; the accuracy, if probabilities mean what they say
 * @param calibrationError expected calibration error
 * @param uncalibratedError the same without the temperature
 */
public record TestResult(
        int nodes,
        double accuracy,
        String largestClass,
        double largestShare,
        double rocAuc,
        double meanProbability,
        double calibrationError,
        double uncalibratedError) {

    private static final int BINS = 10;

    private static final TestResult NOTHING =
            new TestResult(0, Double.NaN, "", Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** @param among the nodes to judge; those without a label, or of a class that the detector does not know, are left out */
    public static TestResult of(Detector detector, Graph raw, NodeSet among) {
        int[] all = Evaluation.learnedLabels(detector, raw);
        NodeSet nodes = among.filter(v -> all[v] >= 0);
        return nodes.isEmpty()
                ? NOTHING
                : of(detector, nodes.stream().map(v -> all[v]).toArray(), predictions(detector, raw, nodes));
    }

    /** @param labels of the scored nodes, as the detector numbers them, all known */
    static TestResult of(Detector detector, Scores scores, int[] labels) {
        if (labels.length == 0) {
            return NOTHING;
        }
        Prediction prediction = scores.prediction();
        boolean isOwn = detector.options().estimators().get(0).estimator().predictsItself();
        Prediction plain = isOwn
                ? prediction
                : prediction.withoutTemperature(detector.estimators().temperature());
        return of(detector, labels, new Prediction[] {prediction, plain});
    }

    private static TestResult of(Detector detector, int[] labels, Prediction[] with) {
        int[] sizes = new int[detector.classes().size()];
        Arrays.stream(labels).forEach(label -> sizes[label]++);
        int largest = IntStream.range(0, sizes.length)
                .reduce((a, b) -> sizes[b] > sizes[a] ? b : a)
                .orElseThrow();
        return new TestResult(
                labels.length,
                Accuracy.of(
                        with[0].label(),
                        labels,
                        IntStream.range(0, labels.length).toArray()),
                detector.classes().get(largest),
                (double) sizes[largest] / labels.length,
                sizes.length == 2 ? rocAuc(with[0], labels) : Double.NaN,
                Arrays.stream(with[0].probability()).average().orElseThrow(),
                error(with[0], labels),
                error(with[1], labels));
    }

    /** What the detector predicts, and what it would without a temperature. */
    private static Prediction[] predictions(Detector detector, Graph raw, NodeSet nodes) {
        if (detector.options().estimators().get(0).estimator().predictsItself()) {
            Prediction own = detector.score(raw, nodes).prediction();
            return new Prediction[] {own, own};
        }
        var logits = detector.forward(raw, nodes).logits();
        return new Prediction[] {Prediction.of(logits, detector.estimators().temperature()), Prediction.of(logits)};
    }

    private static double rocAuc(Prediction prediction, int[] labels) {
        double[] ofSecond = new double[labels.length];
        boolean[] isSecond = new boolean[labels.length];
        for (int i = 0; i < labels.length; i++) {
            ofSecond[i] = prediction.distribution()[2 * i + 1];
            isSecond[i] = labels[i] == 1;
        }
        return Roc.of(ofSecond, isSecond).auc();
    }

    private static double error(Prediction prediction, int[] labels) {
        boolean[] right = new boolean[labels.length];
        for (int i = 0; i < labels.length; i++) {
            right[i] = prediction.label()[i] == labels[i];
        }
        return CalibrationError.error(prediction.probability(), right, BINS);
    }
}
