// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.metric.Spread;
import dev.nescio.report.Table.Better;
import dev.nescio.report.Table.Column;
import dev.nescio.report.Table.Entry;
import dev.nescio.report.Table.Line;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final List<Column> COLUMNS = List.of(
            Column.percent("alea.", "shift"), Column.percent("epi.", "shift"), new Column("seconds", Better.LOW, 1, 1));

    private static Line line(String data, double... values) {
        return new Line(
                List.of(data),
                Arrays.stream(values)
                        .mapToObj(v -> new Entry(new Spread(v, 0.01, Double.isNaN(v) ? 0 : 2), Double.NaN))
                        .toList());
    }

    private static List<Integer> places(Table table, int line) {
        return IntStream.range(0, COLUMNS.size())
                .mapToObj(column -> table.place(line, column))
                .toList();
    }

    @Test
    void columnsOfAKindCompeteAndEqualNumbersShareTheirPlace() {
        Table table = new Table(
                "t",
                "",
                "",
                List.of("data"),
                COLUMNS,
                List.of(
                        line("a", 0.7, 0.9, 3),
                        line("a", 0.7, 0.8, 1),
                        line("a", 0.7, 0.8, 1),
                        line("b", 0.99, Double.NaN, 0.1)));

        assertThat(places(table, 0)).containsExactly(0, 1, 2);
        assertThat(places(table, 1)).containsExactly(0, 2, 1);
        assertThat(places(table, 2)).containsExactly(0, 2, 1);
        // One number of a kind is no contest.
        assertThat(places(table, 3)).containsExactly(0, 0, 0);
    }

    @Test
    void ranksCompeteInTheirLine() {
        List<Column> ranks = IntStream.range(0, 3)
                .mapToObj(i -> new Column("e" + i, "rank", Better.LOW, 1, 2))
                .toList();
        Table table = new Table(
                "t",
                "",
                "",
                List.of("data"),
                ranks,
                List.of(line("a", 1, 2, 3), line("a", 2, 2, 1.5)),
                Table.Contest.LINE);

        assertThat(places(table, 0)).containsExactly(1, 2, 0);
        assertThat(places(table, 1)).containsExactly(2, 2, 1);
    }

    @Test
    void oneRunHasNoSpreadInLatex() {
        Line once = new Line(List.of("a"), List.of(new Entry(new Spread(0.5, 0, 1), Double.NaN)));
        Table table = new Table("t", "", "", List.of("data"), List.of(Column.percent("x")), List.of(once));

        assertThat(table.latex()).contains("a & 50.0 \\\\").doesNotContain("pm");
        assertThat(table.hasRuns()).isFalse();
    }
}
