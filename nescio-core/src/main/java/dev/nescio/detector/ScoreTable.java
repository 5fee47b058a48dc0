// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Scores and decisions as columns, one row per node; every output has the same ones. */
public final class ScoreTable {

    private ScoreTable() {}

    /** The value of a row, by column in the order of the output: text, a number, a boolean, a list of texts, or nothing. */
    public static Map<String, IntFunction<@Nullable Object>> columns(Scores scores, Decisions decisions) {
        Map<String, IntFunction<@Nullable Object>> columns = new LinkedHashMap<>();
        columns.put("node", scores.ids()::name);
        if (!scores.roles().isEmpty()) {
            columns.put("role", i -> scores.roles().get(i).text());
        }
        if (scores.hasPredictions()) {
            columns.put("predicted", scores::predicted);
            columns.put("probability", i -> scores.prediction().probability()[i]);
            columns.put("aleatoric", scores::aleatoric);
        }
        columns.put("epistemic", i -> scores.epistemic()[i]);
        scores.byEstimator().entrySet().stream()
                .skip(1)
                .forEach(e ->
                        columns.put("epistemic-" + e.getKey(), i -> e.getValue().epistemic()[i]));
        double[] pValues = decisions.pValues();
        if (pValues != null) {
            columns.put("p_value", i -> Double.isNaN(pValues[i]) ? null : pValues[i]);
        }
        flags(columns, "flagged", decisions.flagged());
        flags(columns, "listed", decisions.listed());
        flags(columns, "abstains", decisions.abstains());
        List<List<String>> labels = decisions.labels();
        if (labels != null) {
            columns.put("labels", labels::get);
        }
        return columns;
    }

    private static void flags(
            Map<String, IntFunction<@Nullable Object>> columns, String name, boolean @Nullable [] flags) {
        if (flags != null) {
            columns.put(name, i -> flags[i]);
        }
    }
}
