// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Scores and decisions as columns, one row per node; every output has the same ones.
 *
 * @param columns in the order of the output; a value is text, a number, a boolean, a list of texts, or nothing
 */
public record ScoreTable(int rows, Map<String, IntFunction<@Nullable Object>> columns) {

    /** Keeps an unmodifiable copy of the columns, in their order. */
    public ScoreTable {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    }

    /**
     * The columns of scores and decisions, without a column of probabilities per class. Decisions that nobody asked for have no
     * column.
     */
    public static ScoreTable of(Scores scores, Decisions decisions) {
        return of(scores, decisions, false);
    }

    /** @param probabilities whether every class gets a column with its probability */
    public static ScoreTable of(Scores scores, Decisions decisions, boolean probabilities) {
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
        if (probabilities) {
            probabilities(columns, scores);
        }
        return new ScoreTable(scores.nodes(), columns);
    }

    private static void flags(
            Map<String, IntFunction<@Nullable Object>> columns, String name, boolean @Nullable [] flags) {
        if (flags != null) {
            columns.put(name, i -> flags[i]);
        }
    }

    private static void probabilities(Map<String, IntFunction<@Nullable Object>> columns, Scores scores) {
        double[] distribution = scores.prediction().distribution();
        int classes = scores.classes().size();
        for (int c = 0; c < classes; c++) {
            int number = c;
            columns.put("probability-" + scores.classes().get(c), i -> distribution[i * classes + number]);
        }
    }

    /** What the values of a column are. */
    public enum Kind {
        /** Values are numbers; also the kind of a column without any value. */
        NUMBER,
        /** Values are booleans. */
        TRUTH,
        /** Values are lists of texts, such as sets of labels. */
        TEXTS,
        /** Values are single texts. */
        TEXT
    }

    /** What the values of a column are, by the first that is there; a column without any holds numbers. */
    public Kind kind(String column) {
        IntFunction<@Nullable Object> values = Objects.requireNonNull(columns.get(column), column);
        Object first = IntStream.range(0, rows)
                .mapToObj(values)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(0.0);
        return first instanceof Number
                ? Kind.NUMBER
                : first instanceof Boolean ? Kind.TRUTH : first instanceof List ? Kind.TEXTS : Kind.TEXT;
    }

    /** One row, by column. */
    public Map<String, @Nullable Object> row(int row) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        columns.forEach((name, value) -> values.put(name, value.apply(row)));
        return values;
    }

    /** The same with an apostrophe before texts that a spreadsheet would compute instead of showing. */
    public ScoreTable forSpreadsheets() {
        Map<String, IntFunction<@Nullable Object>> marked = new LinkedHashMap<>();
        columns.forEach((name, value) -> marked.put(name, row -> marked(value.apply(row))));
        return new ScoreTable(rows, marked);
    }

    private static @Nullable Object marked(@Nullable Object value) {
        return value instanceof String text && isFormula(text)
                ? "'" + text
                : value instanceof List<?> list && !list.isEmpty() && isFormula(String.valueOf(list.get(0)))
                        ? "'"
                                + String.join(
                                        "|", list.stream().map(String::valueOf).toList())
                        : value;
    }

    /** Whether a spreadsheet would compute a text instead of showing it. */
    public static boolean isFormula(String text) {
        return !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    }
}
