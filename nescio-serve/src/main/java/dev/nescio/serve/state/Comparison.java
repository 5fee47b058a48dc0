// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What another detector changes. */
final class Comparison {

    private static final int MOST = 200;

    private Comparison() {}

    static Map<String, @Nullable Object> of(State before, State after) {
        int predictions = 0;
        int flaggedNow = 0;
        int noLonger = 0;
        int nodes = Math.min(before.nodes(), after.nodes());
        for (int v = 0; v < nodes; v++) {
            predictions += predicted(before, v).equals(predicted(after, v)) ? 0 : 1;
            flaggedNow += !before.isFlagged(v) && after.isFlagged(v) ? 1 : 0;
            noLonger += before.isFlagged(v) && !after.isFlagged(v) ? 1 : 0;
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("before", before.loaded().facts());
        answer.put("after", after.loaded().facts());
        Map<String, Object> changed = new LinkedHashMap<>();
        changed.put("predictions", predictions);
        changed.put("flaggedNow", flaggedNow);
        changed.put("noLongerFlagged", noLonger);
        answer.put("changed", changed);
        answer.put("nodes", largest(before, after, nodes));
        return answer;
    }

    private static List<Map<String, Object>> largest(State before, State after, int nodes) {
        return IntStream.range(0, nodes)
                .filter(v -> weight(before, after, v) > 0)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer v) -> -weight(before, after, v))
                        .thenComparing(v -> v))
                .limit(MOST)
                .map(v -> {
                    Map<String, Object> node = new LinkedHashMap<>();
                    node.put("id", after.overlay().id(v));
                    node.put("before", side(before, v));
                    node.put("after", side(after, v));
                    return node;
                })
                .toList();
    }

    /** Changed decisions first, then changed predictions, by how far the place among ordinary nodes has moved. */
    private static double weight(State before, State after, int node) {
        boolean flag = before.isFlagged(node) != after.isFlagged(node);
        boolean label = !predicted(before, node).equals(predicted(after, node));
        return (flag ? 4 : 0)
                + (label ? 2 : 0)
                + (flag || label ? Math.abs(share(before, node) - share(after, node)) : 0);
    }

    private static double share(State state, int node) {
        var ordinary = state.loaded().ordinary();
        return ordinary == null ? 0 : ordinary.of(state.epistemic(node));
    }

    private static String predicted(State state, int node) {
        return state.loaded().classes().get(state.predicted(node));
    }

    private static Map<String, @Nullable Object> side(State state, int node) {
        Map<String, @Nullable Object> side = new LinkedHashMap<>();
        side.put("predicted", predicted(state, node));
        side.put("epistemic", NodeAnswer.finite(state.epistemic(node)));
        side.put("flagged", state.isFlagged(node));
        return side;
    }
}
