// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.detector.NodeExplanation;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.TableSchema;
import dev.nescio.serve.state.Deadline;
import dev.nescio.serve.state.NodeAnswer;
import dev.nescio.serve.state.State;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a node has its score, and what is around it. */
final class Explain {

    private static final int MOST_IN_EGO = 1000;

    private final Live live;

    Explain(Live live) {
        this.live = live;
    }

    void explanation(Context context) {
        State state = live.state();
        new Query(context, Set.of("id"));
        int node = state.require(Query.id(context));
        NodeExplanation why =
                live.compute(() -> NodeExplanation.of(state.loaded().detector(), state.overlay(), node));
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("id", why.node());
        answer.put("headline", why.headline());
        answer.put("layers", why.layers());
        answer.put("compared", compared(state, node, why));
        answer.put("unusual", why.features());
        answer.put("neighbours", why.neighbours());
        answer.put("degree", why.degree());
        Json.answer(context, answer);
    }

    private static List<Map<String, @Nullable Object>> compared(State state, int node, NodeExplanation why) {
        List<String> names = state.overlay().base().featureNames();
        int[] shown = why.features().stream()
                .mapToInt(unusual -> names.indexOf(unusual.feature()))
                .filter(feature -> feature >= 0)
                .toArray();
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (NodeExplanation.Compared other : why.nearestTraining()) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("node", other.node());
            row.put("trueClass", other.trueClass());
            row.put("distance", other.distance());
            List<Map<String, Object>> features = new ArrayList<>();
            state.find(other.node()).ifPresent(place -> {
                for (int feature : shown) {
                    Map<String, Object> pair = new LinkedHashMap<>();
                    pair.put("feature", names.get(feature));
                    pair.put("value", inUnits(state.overlay(), node, feature));
                    pair.put("other", inUnits(state.overlay(), place, feature));
                    features.add(pair);
                }
            });
            row.put("features", features);
            rows.add(row);
        }
        return rows;
    }

    private static double inUnits(Overlay overlay, int node, int feature) {
        TableSchema schema = overlay.base().schema();
        TableSchema.Scale scale = schema == null ? null : schema.scale(feature);
        double value = overlay.feature(node, feature);
        return scale == null ? value : scale.undo(value);
    }

    void ego(Context context) {
        State state = live.state();
        Query query = new Query(context, Set.of("id", "hops", "limit"));
        int centre = state.require(Query.id(context));
        int hops = query.whole("hops", 1, 1, 2);
        int limit = query.whole("limit", 80, 1, MOST_IN_EGO);
        Deadline deadline = live.deadline();
        Json.answer(context, live.compute(() -> ego(state, Ego.of(state.overlay(), centre, hops, limit, deadline))));
    }

    private static Map<String, @Nullable Object> ego(State state, Ego ego) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("centre", state.overlay().id(ego.centre()));
        answer.put(
                "nodes",
                ego.hops().entrySet().stream()
                        .map(e -> node(state, e.getKey(), e.getValue()))
                        .toList());
        answer.put("edges", ego.edges());
        answer.put("omitted", ego.omitted());
        return answer;
    }

    private static Map<String, @Nullable Object> node(State state, int node, int hop) {
        Map<String, @Nullable Object> all = NodeAnswer.of(state, node);
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("id", all.get("id"));
        answer.put("hop", hop);
        for (String name : List.of("predicted", "epistemic", "pValue", "flagged", "degree", "role")) {
            answer.put(name, all.get(name));
        }
        return answer;
    }
}
