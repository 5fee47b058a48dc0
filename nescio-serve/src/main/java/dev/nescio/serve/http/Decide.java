// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.decision.PValues;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.NodeAnswer;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import dev.nescio.serve.state.View;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Thresholds, and what they promise. */
final class Decide {

    private final Live live;

    Decide(Live live) {
        this.live = live;
    }

    static double threshold(State state, double alpha) {
        PValues ordinary = state.loaded().ordinary();
        return ordinary == null ? Double.POSITIVE_INFINITY : ordinary.threshold(alpha);
    }

    static Map<String, @Nullable Object> decision(State state, double alpha) {
        View view = state.view();
        double threshold = threshold(state, alpha);
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("alpha", alpha);
        answer.put("threshold", NodeAnswer.finite(threshold));
        answer.put("flagged", view.above(threshold));
        answer.put("expectedFalseAlarms", Double.isInfinite(threshold) ? 0.0 : alpha * view.notTraining().length);
        answer.put("promise", view.promise(alpha));
        return answer;
    }

    void get(Context context) {
        State state = live.state();
        Query query = new Query(context, Set.of("alpha", "falseAlarms"));
        Double alpha = query.share("alpha");
        Double alarms = query.number("falseAlarms");
        if (alpha != null && alarms != null) {
            throw new Refused(400, "give 'alpha' or 'falseAlarms', not both");
        }
        if (alarms != null) {
            int nodes = live.compute(state::view).notTraining().length;
            if (!(alarms > 0 && alarms < nodes)) {
                throw new Refused(
                        400,
                        "'falseAlarms' is " + alarms + ", but it must lie between 0 and " + nodes
                                + ", the number of nodes");
            }
            alpha = alarms / nodes;
        }
        double share = alpha == null ? state.alpha() : alpha;
        Json.answer(context, live.compute(() -> decision(state, share)));
    }

    void put(Context context) {
        byte[] body = Bodies.read(context, live.limits().bodyBytes(), live.limits());
        JsonNode alpha = Json.object(body, Set.of("alpha")).get("alpha");
        if (alpha == null || !alpha.isNumber() || !(alpha.doubleValue() > 0 && alpha.doubleValue() < 1)) {
            throw new Refused(400, "'alpha' must be a number between 0 and 1");
        }
        live.change(Repeatable.entry(context, new Change.Decide(alpha.doubleValue()), live.limits()));
        State state = live.state();
        Json.answer(context, decision(state, state.alpha()));
    }
}
