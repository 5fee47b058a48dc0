// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.Detector;
import dev.nescio.detector.Evaluation;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.information.LayerInformation;
import dev.nescio.model.Forward;
import dev.nescio.shift.LeaveOutClasses;
import dev.nescio.shift.Shift;
import dev.nescio.shift.Shifts;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the layers of a trained network know about labels, beside how well JLDE finds strange nodes on the same layers.
 *
 * @param information of every state, the joint one and the control
 * @param pairs what every two states say about each other
 * @param auc AUC-ROC of JLDE by state, and {@code joint}
 * @param strange what JLDE was to find: left-out classes, or features that are noise like the data
 */
public record LayerStudy(
        List<LayerInformation> information, List<LayerInformation.Pair> pairs, Map<String, Double> auc, Shift strange) {

    /**
     * Measures a trained detector on a raw graph, with labels, and a split of it. JLDE is to find nodes of left-out classes or,
     * where there are none, nodes whose features became noise.
     */
    public static LayerStudy of(Detector detector, Graph graph, Split split, LayerInformation.Options options) {
        Forward forward = detector.forward(graph);
        int[] labels = Evaluation.learnedLabels(detector, graph);
        boolean leavesOut = !detector.options().leftOut().isEmpty();
        Split seen = leavesOut ? new LeaveOutClasses(graph, detector.options().leftOut()).split(split) : split;
        List<LayerInformation> information = LayerInformation.of(forward, labels, seen, options);
        return new LayerStudy(
                information,
                LayerInformation.pairs(forward, split, options),
                auc(detector, graph, split, seen, forward, options.seed()),
                leavesOut ? Shifts.LEAVE_OUT : Shifts.NEAR);
    }

    private static Map<String, Double> auc(
            Detector detector, Graph graph, Split split, Split seen, Forward forward, long seed) {
        Graph prepared = detector.options().preprocessing().apply(graph);
        Evidence taught = Evidence.of(forward, prepared, seen.train());
        Evidence shown = taught;
        NodeSet strange = split.test().filter(v -> Evaluation.isUnseen(detector, graph, v));
        if (detector.options().leftOut().isEmpty()) {
            Shift.Shifted noisy = Shifts.NEAR.apply(new Shift.Setting(
                    graph,
                    detector.options().preprocessing(),
                    split,
                    detector.options().leftOut(),
                    seed));
            shown = Evidence.of(detector.model().forward(noisy.prepared()), noisy.prepared(), NodeSet.of());
            strange = noisy.strange();
        }
        NodeSet found = strange;
        NodeSet ordinary = split.test().filter(v -> !found.contains(v));
        Map<String, Double> auc = new LinkedHashMap<>();
        for (int i = 0; i <= forward.states().size(); i++) {
            boolean joint = i == forward.states().size();
            EstimatorSpec jlde = Estimators.parse(joint ? "jlde" : "jlde:states=" + i);
            double[] scores = jlde.fit(taught).score(shown);
            auc.put(
                    joint ? "joint" : forward.states().get(i).name(),
                    Evaluation.roc(scores, ordinary, found).auc());
        }
        return auc;
    }
}
