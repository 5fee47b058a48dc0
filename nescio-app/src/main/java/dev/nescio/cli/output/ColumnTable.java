// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import dev.nescio.io.graph.ColumnProfile;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What the columns of a table hold, one line each, and what looks wrong about them. */
public final class ColumnTable {

    private static final int MOST_LINES = 60;
    private static final int WIDEST = 32;

    private ColumnTable() {}

    public static void append(List<ColumnProfile> columns, StringBuilder text) {
        if (columns.isEmpty()) {
            return;
        }
        List<ColumnProfile> shown = columns.subList(0, Math.min(MOST_LINES, columns.size()));
        int name = width("column", shown, ColumnProfile::name);
        int kind = width("kind", shown, ColumnProfile::kind);
        int values = width("values", shown, ColumnProfile::values);
        String line = "  %-" + name + "s  %-7s  %-" + kind + "s  %9s  %-" + values + "s  %s%n";
        text.append(String.format("columns%n"));
        text.append(String.format(line, "column", "role", "kind", "missing", "values", "what is done"));
        for (ColumnProfile column : shown) {
            text.append(String.format(
                    Locale.ROOT,
                    line,
                    cut(column.name()),
                    column.role(),
                    column.kind(),
                    String.format(Locale.ROOT, "%,d", column.missing()),
                    cut(column.values()),
                    column.treatment()));
        }
        if (columns.size() > shown.size()) {
            text.append(String.format(Locale.ROOT, "  and %d more columns%n", columns.size() - shown.size()));
        }
        columns.stream()
                .filter(column -> !column.warning().isEmpty())
                .forEach(column -> text.append(String.format("  ! '%s' %s%n", column.name(), column.warning())));
    }

    private static int width(String head, List<ColumnProfile> columns, Function<ColumnProfile, String> part) {
        return columns.stream()
                .mapToInt(column -> cut(part.apply(column)).length())
                .reduce(head.length(), Math::max);
    }

    private static String cut(String text) {
        return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
    }
}
