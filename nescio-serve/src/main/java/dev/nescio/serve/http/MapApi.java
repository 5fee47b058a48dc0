// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Deadline;
import dev.nescio.serve.state.JointMap;
import dev.nescio.serve.state.State;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All nodes in the plane. */
final class MapApi {

    private static final int MOST = 100_000;

    private final Live live;
    private final Shared<Asked, JointMap> maps;

    MapApi(Live live) {
        this.live = live;
        this.maps = new Shared<>(live);
    }

    /** What a map depends on. */
    private record Asked(long scoresVersion, int limit) {}

    void get(Context context) {
        State state = live.state();
        int limit = new Query(context, Set.of("limit")).whole("limit", 20_000, 1, MOST);
        Deadline deadline = live.deadline();
        JointMap map = maps.get(new Asked(state.scoresVersion(), limit), () -> JointMap.of(state, limit, deadline));
        List<String> ids = new ArrayList<>();
        List<Integer> classes = new ArrayList<>();
        List<Double> epistemic = new ArrayList<>();
        List<Integer> flagged = new ArrayList<>();
        List<String> roles = new ArrayList<>();
        for (int node : map.nodes().toArray()) {
            ids.add(state.overlay().id(node));
            classes.add(state.predicted(node));
            epistemic.add(state.epistemic(node));
            flagged.add(state.isFlagged(node) ? 1 : 0);
            roles.add(state.role(node).text());
        }
        Map<String, @Nullable Object> points = new LinkedHashMap<>();
        points.put("id", ids);
        points.put("x", map.x());
        points.put("y", map.y());
        points.put("class", classes);
        points.put("epistemic", epistemic);
        points.put("flagged", flagged);
        points.put("role", roles);
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("axes", List.of("first principal component", "second principal component"));
        answer.put("explained", map.explained());
        answer.put("points", points);
        answer.put("classes", state.loaded().classes());
        answer.put("sampled", map.nodes().size() < state.nodes());
        answer.put("total", state.nodes());
        Json.answer(context, answer);
    }
}
