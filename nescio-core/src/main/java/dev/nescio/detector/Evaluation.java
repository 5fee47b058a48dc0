package dev.nescio.detector;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.metric.Accuracy;
import dev.nescio.metric.Roc;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a detector does on the test nodes of a split.
 *
 * @param split its name
 * @param accuracy on test nodes of classes that were learned
 * @param aucAleatoric how well aleatoric uncertainty ranks test nodes of left-out classes above the others; NaN where no
 *     class was left out
 * @param aucByEstimator the same of epistemic uncertainty, by the name of the estimator
 */
public record Evaluation(
        String split,
        double validationAccuracy,
        double accuracy,
        double aucAleatoric,
        Map<String, Double> aucByEstimator) {

    /** Judges scores of the graph that the labels are on; left-out classes are those of the detector. */
    public static Evaluation of(Detector detector, Scores scores, Graph graph, Split split) {
        int[] labels = learnedLabels(detector, graph);
        NodeSet unseen = split.test().filter(v -> isUnseen(detector, graph, v));
        NodeSet seen = split.test().filter(v -> labels[v] >= 0);
        Map<String, Double> aucs = new LinkedHashMap<>();
        scores.byEstimator()
                .forEach((name, epistemic) ->
                        aucs.put(name, roc(epistemic, seen, unseen).auc()));
        return new Evaluation(
                split.name(),
                detector.provenance().validationAccuracy(),
                Accuracy.of(scores.prediction().label(), labels, seen.toArray()),
                roc(scores.aleatoric(), seen, unseen).auc(),
                aucs);
    }

    /** Of the first estimator. */
    public double aucEpistemic() {
        return aucByEstimator.values().iterator().next();
    }

    /** The labels of a graph as the detector numbers them; {@link Graph#UNLABELLED} where it does not know the class. */
    public static int[] learnedLabels(Detector detector, Graph graph) {
        int[] labels = graph.labels();
        for (int v = 0; v < labels.length; v++) {
            labels[v] = labels[v] < 0
                    ? labels[v]
                    : detector.classes().indexOf(graph.classes().get(labels[v]));
        }
        return labels;
    }

    public static boolean isUnseen(Detector detector, Graph graph, int node) {
        return graph.label(node) >= 0
                && detector.provenance().leftOut().contains(graph.classes().get(graph.label(node)));
    }

    /** Unseen nodes are the positives. */
    public static Roc roc(double[] scores, NodeSet seen, NodeSet unseen) {
        double[] chosen = new double[seen.size() + unseen.size()];
        boolean[] positive = new boolean[chosen.length];
        int next = 0;
        for (int node : seen.toArray()) {
            chosen[next++] = scores[node];
        }
        for (int node : unseen.toArray()) {
            positive[next] = true;
            chosen[next++] = scores[node];
        }
        return Roc.of(chosen, positive);
    }
}
