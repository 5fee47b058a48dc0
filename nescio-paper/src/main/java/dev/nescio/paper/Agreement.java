// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.report.Table;
import dev.nescio.report.Table.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How many numbers of a table lie close to the paper's, and which do not.
 *
 * @param compared numbers that stand in both
 * @param limit what is close, in words
 */
record Agreement(Table table, String limit, int compared, List<Miss> misses) {

    /** A number that is not close to the paper's: where it stands, and both numbers. */
    record Miss(String cell, String numbers) {}

    /** How far a table may be away, in its own units; a limit that is one-sided minds only numbers below the paper's. */
    private record Limit(String table, double distance, boolean oneSided, String words) {

        boolean keeps(double difference) {
            return oneSided ? difference >= -distance : Math.abs(difference) <= distance;
        }
    }

    private static final List<Limit> LIMITS = List.of(
            new Limit("main", 5, false, "within 5 points"),
            new Limit("densities", 5, false, "within 5 points"),
            new Limit("ranks-auc-roc", 0.75, false, "within 0.75 of a rank"),
            new Limit("accuracy", 3, true, "at most 3 points below"),
            new Limit("ece", 10, false, "within 10 points"),
            new Limit("brier", 0.05, false, "within 0.05"));

    /** Of all tables that have numbers in the paper; those with nothing to compare are left out. */
    static List<Agreement> of(List<Table> tables) {
        return LIMITS.stream()
                .flatMap(limit -> tables.stream()
                        .filter(table -> table.id().equals(limit.table))
                        .map(table -> of(table, limit)))
                .filter(agreement -> agreement.compared > 0)
                .toList();
    }

    private static Agreement of(Table table, Limit limit) {
        int compared = 0;
        List<Miss> misses = new ArrayList<>();
        for (Table.Line line : table.lines()) {
            for (int c = 0; c < table.columns().size(); c++) {
                Entry entry = line.entries().get(c);
                double difference = table.difference(c, entry);
                if (!Double.isFinite(difference)) {
                    continue;
                }
                compared++;
                if (!limit.keeps(difference)) {
                    misses.add(miss(table, line, c, difference));
                }
            }
        }
        return new Agreement(table, limit.words, compared, misses);
    }

    private static Miss miss(Table table, Table.Line line, int column, double difference) {
        Entry entry = line.entries().get(column);
        int decimals = table.columns().get(column).decimals();
        return new Miss(
                String.join(", ", line.labels()) + ", "
                        + table.columns().get(column).name(),
                "ours " + table.number(column, entry.ours().mean())
                        + (entry.ours().runs() > 1
                                ? " ± " + table.number(column, entry.ours().std())
                                : "")
                        + ", paper " + table.paperNumber(column, entry.paper())
                        + String.format(Locale.ROOT, " (%+." + decimals + "f)", difference));
    }

    int close() {
        return compared - misses.size();
    }

    String share() {
        return String.format(Locale.ROOT, "%d of %d (%.0f %%)", close(), compared, 100.0 * close() / compared);
    }
}
