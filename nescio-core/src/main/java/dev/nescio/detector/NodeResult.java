// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that Nescio says about one node. What nobody asked for, or nobody knows, is null.
 *
 * @param id of the node
 * @param role what the node was when the detector was made
 * @param predicted the most probable class
 * @param probabilities of all classes, by name; empty where nothing is predicted
 * @param aleatoric how noisy the prediction is, 0 to 1
 * @param epistemic how far the node lies from anything learned; larger = more uncertain
 * @param pValue share of ordinary nodes that lie at least as far; null for training nodes, too
 * @param flagged whether it is more uncertain than ordinary nodes
 * @param listed whether it is on the list with a bounded share of false alarms
 * @param abstains whether its prediction is too doubtful
 * @param labels that it may have
 */
public record NodeResult(
        String id,
        @Nullable Role role,
        @Nullable String predicted,
        Map<String, Double> probabilities,
        @Nullable Double aleatoric,
        double epistemic,
        @Nullable Double pValue,
        @Nullable Boolean flagged,
        @Nullable Boolean listed,
        @Nullable Boolean abstains,
        @Nullable List<String> labels) {

    /** Keeps an unmodifiable copy of the probabilities, in the order of the classes. */
    public NodeResult {
        probabilities = Collections.unmodifiableMap(new LinkedHashMap<>(probabilities));
    }

    static NodeResult of(Scores scores, Decisions decisions, int node) {
        boolean predicts = scores.hasPredictions();
        Map<String, Double> probabilities = new LinkedHashMap<>();
        int classes = scores.classes().size();
        for (int c = 0; predicts && c < classes; c++) {
            probabilities.put(scores.classes().get(c), scores.prediction().distribution()[node * classes + c]);
        }
        double[] pValues = decisions.pValues();
        List<List<String>> labels = decisions.labels();
        return new NodeResult(
                scores.ids().name(node),
                scores.roles().isEmpty() ? null : scores.roles().get(node),
                predicts ? scores.predicted(node) : null,
                probabilities,
                predicts ? scores.aleatoric(node) : null,
                scores.epistemic()[node],
                pValues == null || Double.isNaN(pValues[node]) ? null : pValues[node],
                at(decisions.flagged(), node),
                at(decisions.listed(), node),
                at(decisions.abstains(), node),
                labels == null ? null : labels.get(node));
    }

    private static @Nullable Boolean at(boolean @Nullable [] flags, int node) {
        return flags == null ? null : flags[node];
    }
}
