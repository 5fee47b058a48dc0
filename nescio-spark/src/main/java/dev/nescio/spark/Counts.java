// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.detector.Role;
import dev.nescio.spark.table.GraphTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * How many rows a table of scores has, and how many of them are true by each decision.
 *
 * @param training nodes among them that the detector learned from, where the table has p-values; else 0
 */
record Counts(long nodes, long training, Map<String, Long> byDecision) {

    /** Counts a table that was written; texts such as {@code true} count, too. */
    static Counts of(Dataset<Row> scores) {
        List<String> columns = Arrays.asList(scores.columns());
        List<String> decisions = List.of("flagged", "listed", "abstains").stream()
                .filter(columns::contains)
                .toList();
        Column isTraining = columns.contains("role") && columns.contains("p_value")
                ? GraphTables.column("role").equalTo(Role.TRAINING.text())
                : functions.lit(false);
        List<Column> sums = new ArrayList<>(List.of(functions.count_if(isTraining)));
        decisions.forEach(
                name -> sums.add(functions.count_if(GraphTables.column(name).cast("boolean"))));
        Row row = scores.agg(functions.count(functions.lit(1)), sums.toArray(Column[]::new))
                .first();
        Map<String, Long> byDecision = new LinkedHashMap<>();
        for (int i = 0; i < decisions.size(); i++) {
            byDecision.put(decisions.get(i), row.getLong(i + 2));
        }
        return new Counts(row.getLong(0), row.getLong(1), byDecision);
    }

    /** As the local command says it: {@code 120 nodes, flagged 7}. */
    String text() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%,d nodes", nodes));
        byDecision.forEach((name, count) -> text.append(String.format(Locale.ROOT, ", %s %,d", name, count)));
        return text.toString();
    }

    /** What the local command remarks where it knows all nodes. */
    List<String> remarks() {
        return training == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%,d of %,d nodes are training nodes: they have no p-value and are never flagged or listed",
                        training,
                        nodes));
    }
}
