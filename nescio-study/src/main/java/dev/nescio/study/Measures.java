package dev.nescio.study;

import dev.nescio.detector.Evaluation;
import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeSet;
import dev.nescio.metric.Accuracy;
import dev.nescio.metric.CalibrationError;
import dev.nescio.metric.Roc;
import dev.nescio.uncertainty.Prediction;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All numbers about one cell, on test nodes; NaN where a question makes no sense. Strange nodes are those of left-out classes
 * or with noise, ordinary ones all others; wrong ones are ordinary nodes that get another class than their own.
 *
 * @param accuracy on ordinary nodes
 * @param accuracyAll on all nodes whose class was learned
 * @param aucRoc how well epistemic uncertainty finds strange nodes
 * @param aucPr the same as area under precision and recall, by trapezoids
 * @param averagePrecision the same by steps
 * @param falseAlarms share of ordinary nodes above the threshold that finds 95 % of the strange ones
 * @param aleatoricAucRoc how well aleatoric uncertainty finds strange nodes
 * @param aleatoricAucPr the same as area under precision and recall
 * @param errorsAucRoc how well epistemic uncertainty finds wrong nodes
 * @param errorsAucPr the same as area under precision and recall
 * @param errorsAleatoricAucRoc how well aleatoric uncertainty finds wrong nodes
 * @param errorsAleatoricAucPr the same as area under precision and recall
 * @param calibrationError expected calibration error in equal bins of confidence
 * @param brier mean distance between probabilities and truth
 * @param brierSquared mean squared distance
 */
public record Measures(
        double accuracy,
        double accuracyAll,
        double aucRoc,
        double aucPr,
        double averagePrecision,
        double falseAlarms,
        double aleatoricAucRoc,
        double aleatoricAucPr,
        double errorsAucRoc,
        double errorsAucPr,
        double errorsAleatoricAucRoc,
        double errorsAleatoricAucPr,
        double calibrationError,
        double brier,
        double brierSquared) {

    /**
     * @param labels as the network numbers them; negative where it has not learned the class
     * @param strange those of the test nodes that uncertainty is to find
     * @param bins of the calibration error
     */
    static Measures of(Scores.Opinion opinion, int[] labels, NodeSet test, NodeSet strange, int bins) {
        Prediction prediction = opinion.prediction();
        double[] aleatoric = prediction.aleatoric();
        NodeSet learned = test.filter(v -> labels[v] >= 0);
        NodeSet ordinary = learned.filter(v -> !strange.contains(v));
        NodeSet wrong = ordinary.filter(v -> prediction.label()[v] != labels[v]);
        NodeSet right = ordinary.filter(v -> prediction.label()[v] == labels[v]);
        Roc found = Evaluation.roc(opinion.epistemic(), ordinary, strange);
        Roc foundByNoise = Evaluation.roc(aleatoric, ordinary, strange);
        Roc errors = Evaluation.roc(opinion.epistemic(), right, wrong);
        Roc errorsByNoise = Evaluation.roc(aleatoric, right, wrong);
        CalibrationError.Brier brier = brier(prediction, labels, ordinary);
        return new Measures(
                Accuracy.of(prediction.label(), labels, ordinary.toArray()),
                Accuracy.of(prediction.label(), labels, learned.toArray()),
                found.auc(),
                found.aucPr(),
                found.averagePrecision(),
                found.falseAlarms(),
                foundByNoise.auc(),
                foundByNoise.aucPr(),
                errors.auc(),
                errors.aucPr(),
                errorsByNoise.auc(),
                errorsByNoise.aucPr(),
                calibrationError(prediction, labels, ordinary, bins),
                brier.distance(),
                brier.squared());
    }

    private static double calibrationError(Prediction prediction, int[] labels, NodeSet nodes, int bins) {
        double[] confidence =
                nodes.stream().mapToDouble(v -> prediction.probability()[v]).toArray();
        boolean[] right = new boolean[confidence.length];
        int next = 0;
        for (int v : nodes.toArray()) {
            right[next++] = prediction.label()[v] == labels[v];
        }
        return CalibrationError.error(confidence, right, bins);
    }

    private static CalibrationError.Brier brier(Prediction prediction, int[] labels, NodeSet nodes) {
        int classes = prediction.distribution().length / Math.max(1, prediction.label().length);
        double[] chosen = new double[nodes.size() * classes];
        int[] truth = new int[nodes.size()];
        int next = 0;
        for (int v : nodes.toArray()) {
            System.arraycopy(prediction.distribution(), v * classes, chosen, next * classes, classes);
            truth[next++] = labels[v];
        }
        return CalibrationError.Brier.of(chosen, truth);
    }

    /** Names of all numbers, as columns of a table. */
    public static List<String> names() {
        return Arrays.stream(Measures.class.getRecordComponents())
                .map(Measures::columnName)
                .toList();
    }

    private static String columnName(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** All numbers by their names. */
    public Map<String, Double> values() {
        Map<String, Double> values = new LinkedHashMap<>();
        for (RecordComponent component : Measures.class.getRecordComponents()) {
            try {
                values.put(
                        columnName(component), (Double) component.getAccessor().invoke(this));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return values;
    }
}
