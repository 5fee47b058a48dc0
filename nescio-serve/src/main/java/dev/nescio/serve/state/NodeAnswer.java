// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.decision.LabelSets;
import dev.nescio.decision.PValues;
import dev.nescio.detector.Role;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that is said about one node, as an answer holds it. */
public final class NodeAnswer {

    private NodeAnswer() {}

    /** What a detector says of a node, wherever it is kept. */
    private record Said(double epistemic, int label, double probability, double[] distribution, Role role) {}

    /** A node that the state knows, as it was scored last. */
    public static Map<String, @Nullable Object> of(State state, int node) {
        Columns columns = state.columns();
        Said said = new Said(
                columns.epistemic(node),
                columns.label(node),
                columns.probability(node),
                columns.distribution(node),
                columns.role(node));
        Map<String, @Nullable Object> answer = answer(state, state.overlay(), node, said);
        answer.put("stale", state.isStale(node));
        return answer;
    }

    /** A node that the state knows, scored now where it waits for that. */
    public static Map<String, @Nullable Object> fresh(State state, int node) {
        return state.isStale(node)
                ? scored(state, state.overlay(), NodeSet.of(node)).get(0)
                : of(state, node);
    }

    /** Nodes of a graph that has more than the state knows, scored now. */
    static List<Map<String, @Nullable Object>> scored(State state, Overlay overlay, NodeSet some) {
        return answers(state, overlay, some, state.loaded().detector().score(overlay, some));
    }

    static List<Map<String, @Nullable Object>> answers(State state, Overlay overlay, NodeSet some, Scores scores) {
        int[] nodes = some.toArray();
        List<Map<String, @Nullable Object>> answers = new ArrayList<>();
        int classes = scores.classes().size();
        for (int i = 0; i < nodes.length; i++) {
            double[] distribution =
                    Arrays.copyOfRange(scores.prediction().distribution(), i * classes, (i + 1) * classes);
            Said said = new Said(
                    scores.epistemic()[i],
                    scores.prediction().label()[i],
                    scores.prediction().probability()[i],
                    distribution,
                    scores.roles().isEmpty() ? Role.NEW : scores.roles().get(i));
            Map<String, @Nullable Object> answer = answer(state, overlay, nodes[i], said);
            answer.put("stale", false);
            answers.add(answer);
        }
        return answers;
    }

    private static Map<String, @Nullable Object> answer(State state, Overlay overlay, int node, Said said) {
        Loaded loaded = state.loaded();
        boolean isTraining = said.role == Role.TRAINING;
        PValues ordinary = loaded.ordinary();
        String id = overlay.id(node);
        int label = overlay.label(node);
        LabelSets sets = state.decision().labels();
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("id", id);
        answer.put("predicted", loaded.classes().get(said.label));
        Map<String, Object> probabilities = new LinkedHashMap<>();
        for (int c = 0; c < said.distribution.length; c++) {
            probabilities.put(loaded.classes().get(c), said.distribution[c]);
        }
        answer.put("probabilities", probabilities);
        answer.put("confidence", said.probability);
        answer.put("aleatoric", 1 - said.probability);
        answer.put("epistemic", finite(said.epistemic));
        answer.put("pValue", ordinary == null || isTraining ? null : ordinary.of(said.epistemic));
        answer.put("flagged", !isTraining && said.epistemic > state.decision().threshold());
        answer.put(
                "labelSet",
                sets == null
                        ? null
                        : sets.of(said.distribution).stream()
                                .mapToObj(loaded.classes()::get)
                                .toList());
        answer.put("role", said.role.text());
        answer.put(
                "label",
                label == Graph.UNLABELLED ? null : overlay.base().classes().get(label));
        answer.put("degree", overlay.degree(node));
        answer.put("kept", node >= overlay.base().nodes() && node < state.nodes());
        answer.put("review", state.reviews().of(id));
        answer.put("version", state.scoresVersion());
        return answer;
    }

    /** JSON has neither infinity nor NaN. */
    public static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
