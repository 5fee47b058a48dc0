// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.decision.PValues;
import dev.nescio.detector.ScoreTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Every node of a state as a table, with the columns that {@code nescio score} writes. */
public final class Table {

    private Table() {}

    /** The columns, which look into the state when they are read. */
    public static ScoreTable of(State state) {
        Columns columns = state.columns();
        List<String> classes = state.loaded().classes();
        PValues ordinary = state.loaded().ordinary();
        Map<String, IntFunction<@Nullable Object>> table = new LinkedHashMap<>();
        table.put("node", state.overlay()::id);
        if (columns.hasRoles()) {
            table.put("role", node -> columns.role(node).text());
        }
        table.put("predicted", node -> classes.get(columns.label(node)));
        table.put("probability", columns::probability);
        table.put("aleatoric", columns::aleatoric);
        table.put("epistemic", columns::epistemic);
        for (int e = 1; e < columns.estimators().size(); e++) {
            int number = e;
            table.put("epistemic-" + columns.estimators().get(e), node -> columns.epistemic(number, node));
        }
        if (ordinary != null) {
            table.put("p_value", node -> columns.isTraining(node) ? null : ordinary.of(columns.epistemic(node)));
        }
        return new ScoreTable(state.nodes(), table);
    }
}
