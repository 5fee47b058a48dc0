// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.Evaluation;
import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeSet;
import dev.nescio.metric.Accuracy;
import dev.nescio.metric.CalibrationError;
import dev.nescio.metric.Roc;
import dev.nescio.uncertainty.Prediction;

/**
 * What an estimator says about test nodes, beside the truth. Strange nodes are those of left-out classes or with noise, ordinary
 * ones all others; wrong ones are ordinary nodes that get another class than their own.
 */
public final class Judged {

    private final Prediction prediction;
    private final int[] labels;
    private final int bins;
    private final NodeSet learned;
    private final NodeSet ordinary;
    private final Roc strangeByEpistemic;
    private final Roc strangeByAleatoric;
    private final Roc wrongByEpistemic;
    private final Roc wrongByAleatoric;

    /**
     * @param labels as the network numbers them; negative where it has not learned the class
     * @param strange those of the test nodes that uncertainty is to find
     * @param bins of the calibration error
     */
    Judged(Scores.Opinion opinion, int[] labels, NodeSet test, NodeSet strange, int bins) {
        Prediction predicted = opinion.requirePrediction();
        this.prediction = predicted;
        this.labels = labels;
        this.bins = bins;
        this.learned = test.filter(v -> labels[v] >= 0);
        this.ordinary = learned.filter(v -> !strange.contains(v));
        NodeSet wrong = ordinary.filter(v -> predicted.label()[v] != labels[v]);
        NodeSet right = ordinary.filter(v -> predicted.label()[v] == labels[v]);
        double[] aleatoric = predicted.aleatoric();
        this.strangeByEpistemic = Evaluation.roc(opinion.epistemic(), ordinary, strange);
        this.strangeByAleatoric = Evaluation.roc(aleatoric, ordinary, strange);
        this.wrongByEpistemic = Evaluation.roc(opinion.epistemic(), right, wrong);
        this.wrongByAleatoric = Evaluation.roc(aleatoric, right, wrong);
    }

    /** How well epistemic uncertainty ranks strange nodes above ordinary ones. */
    Roc strangeByEpistemic() {
        return strangeByEpistemic;
    }

    /** How well aleatoric uncertainty ranks strange nodes above ordinary ones. */
    Roc strangeByAleatoric() {
        return strangeByAleatoric;
    }

    /** How well epistemic uncertainty ranks wrong predictions above right ones. */
    Roc wrongByEpistemic() {
        return wrongByEpistemic;
    }

    /** How well aleatoric uncertainty ranks wrong predictions above right ones. */
    Roc wrongByAleatoric() {
        return wrongByAleatoric;
    }

    /** On ordinary nodes. */
    double accuracy() {
        return Accuracy.of(prediction.label(), labels, ordinary.toArray());
    }

    /** On all nodes whose class was learned. */
    double accuracyOfAll() {
        return Accuracy.of(prediction.label(), labels, learned.toArray());
    }

    double calibrationError() {
        double[] confidence =
                ordinary.stream().mapToDouble(v -> prediction.probability()[v]).toArray();
        boolean[] right = new boolean[confidence.length];
        int next = 0;
        for (int v : ordinary.toArray()) {
            right[next++] = prediction.label()[v] == labels[v];
        }
        return CalibrationError.error(confidence, right, bins);
    }

    CalibrationError.Brier brier() {
        int classes = prediction.distribution().length / Math.max(1, prediction.label().length);
        double[] chosen = new double[ordinary.size() * classes];
        int[] truth = new int[ordinary.size()];
        int next = 0;
        for (int v : ordinary.toArray()) {
            System.arraycopy(prediction.distribution(), v * classes, chosen, next * classes, classes);
            truth[next++] = labels[v];
        }
        return CalibrationError.Brier.of(chosen, truth);
    }
}
