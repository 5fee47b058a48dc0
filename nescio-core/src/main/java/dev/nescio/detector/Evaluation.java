// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.metric.Accuracy;
import dev.nescio.metric.Roc;
import dev.nescio.model.block.BlockPass;
import dev.nescio.progress.Progress;
import dev.nescio.shift.Shift;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a detector does on the test nodes of a split.
 *
 * @param split its name
 * @param test how the detector predicts ordinary test nodes of the graph as it is
 * @param byEstimator how each estimator does, by its name
 */
public record Evaluation(String split, double validationAccuracy, TestResult test, Map<String, Quality> byEstimator) {

    /**
     * How one estimator does.
     *
     * @param accuracy on ordinary test nodes: of classes that were learned, with features as they are
     * @param aucAleatoric how well aleatoric uncertainty ranks the other test nodes above them; NaN where there are none
     * @param aucEpistemic the same of epistemic uncertainty
     */
    public record Quality(double accuracy, double aucAleatoric, double aucEpistemic) {}

    /** Keeps an unmodifiable copy of the map, in its order. */
    public Evaluation {
        byEstimator = Collections.unmodifiableMap(new LinkedHashMap<>(byEstimator));
    }

    /** Finding left-out classes: judges scores of the graph that the labels are on. */
    public static Evaluation of(Detector detector, Scores scores, Graph graph, Split split) {
        NodeSet unseen = split.test().filter(v -> isUnseen(detector, graph, v));
        return of(detector, scores, graph, split, unseen);
    }

    /** The same on a graph that is read block by block; only its test nodes are kept in memory. */
    public static Evaluation of(
            Detector detector, BlockGraph graph, Split split, BlockPass.Options limits, Progress progress) {
        int[] test = split.test().toArray();
        Graph alone = Graph.builder(graph.name(), Adjacency.empty(test.length))
                .labels(Arrays.stream(test).map(v -> graph.labels()[v]).toArray(), graph.classes())
                .build();
        Scores scores = BlockScoring.score(detector, graph, split.test(), limits, progress);
        NodeSet unseen = NodeSet.where(test.length, i -> isUnseen(detector, alone, i));
        int[] labels = learnedLabels(detector, alone);
        NodeSet ordinary = NodeSet.where(test.length, i -> labels[i] >= 0 && !unseen.contains(i));
        return of(
                detector,
                scores,
                labels,
                split.name(),
                ordinary,
                unseen,
                TestResult.of(
                        detector,
                        scores.of(ordinary),
                        ordinary.stream().map(i -> labels[i]).toArray()));
    }

    /** Finding the strange nodes of a shift: the network is trained on the clean graph and scores the shifted one. */
    public static Evaluation of(Detector detector, Shift.Shifted shifted, Graph graph, Split split) {
        Scores scores = detector.scorePrepared(shifted.prepared(), Progress.NONE);
        return of(detector, scores, graph, split, shifted.strange());
    }

    /** @param strange the test nodes that uncertainty should find; accuracy is judged on the others */
    private static Evaluation of(Detector detector, Scores scores, Graph graph, Split split, NodeSet strange) {
        int[] labels = learnedLabels(detector, graph);
        NodeSet ordinary = split.test().filter(v -> labels[v] >= 0 && !strange.contains(v));
        return of(detector, scores, labels, split.name(), ordinary, strange, TestResult.of(detector, graph, ordinary));
    }

    private static Evaluation of(
            Detector detector,
            Scores scores,
            int[] labels,
            String split,
            NodeSet ordinary,
            NodeSet strange,
            TestResult test) {
        Map<String, Quality> qualities = new LinkedHashMap<>();
        scores.byEstimator()
                .forEach((name, opinion) -> qualities.put(
                        name,
                        new Quality(
                                Accuracy.of(opinion.requirePrediction().label(), labels, ordinary.toArray()),
                                roc(opinion.requirePrediction().aleatoric(), ordinary, strange)
                                        .auc(),
                                roc(opinion.epistemic(), ordinary, strange).auc())));
        return new Evaluation(split, detector.provenance().validationAccuracy(), test, qualities);
    }

    /** How an estimator does, by its label. */
    public Quality quality(String estimator) {
        return Objects.requireNonNull(byEstimator.get(estimator), estimator);
    }

    /** How the first estimator does. */
    public Quality quality() {
        return byEstimator.values().iterator().next();
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

    /** Whether the class of a node was left out of training, told by its name; false for a node without a label. */
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
