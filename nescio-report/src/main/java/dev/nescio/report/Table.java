// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import dev.nescio.metric.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A table of numbers beside those of the paper.
 *
 * @param id name of its files
 * @param labels heads of the columns that say what a row is; the first one is the data set
 * @param columns what is measured
 * @param contest among whom the best is marked
 */
public record Table(
        String id,
        String title,
        String note,
        List<String> labels,
        List<Column> columns,
        List<Line> lines,
        Contest contest) {

    /** Refuses an id that cannot be the name of a file; see {@link #requireFileName}. */
    public Table {
        requireFileName(id);
    }

    /** Names of files come from a fixed alphabet, whatever a store of results calls its models. */
    public static String fileName(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }

    /** Refuses what could lead out of a folder or into markup. */
    public static void requireFileName(String id) {
        if (!id.matches("[a-z0-9_-]{1,100}")) {
            throw new IllegalArgumentException("'" + id + "' is no name of a file");
        }
    }

    /** Among whom the best and the runner-up are looked for: numbers of the same kind in ... */
    public enum Contest {
        /** All lines of the same data set. */
        DATA_SET,
        /** The same line. */
        LINE
    }

    /** A table whose best numbers are looked for among all lines of a data set. */
    public Table(String id, String title, String note, List<String> labels, List<Column> columns, List<Line> lines) {
        this(id, title, note, labels, columns, lines, Contest.DATA_SET);
    }

    /** Which end of a column is the good one. */
    public enum Better {
        /** The larger, the better. */
        HIGH,
        /** The smaller, the better. */
        LOW,
        /** Neither: nothing is marked. */
        NEITHER
    }

    /**
     * @param kind columns of the same kind are compared with each other
     * @param factor that numbers are multiplied by before they are printed
     */
    public record Column(String name, String kind, Better better, double factor, int decimals) {

        /** A column of a kind of its own, compared with no other column. */
        public Column(String name, Better better, double factor, int decimals) {
            this(name, name, better, factor, decimals);
        }

        /** A percentage of a kind of its own, the higher the better, with one decimal. */
        public static Column percent(String name) {
            return percent(name, name);
        }

        /**
         * A percentage that is compared with those of the same kind, the higher the better, with one decimal. Entries hold shares
         * from 0 to 1.
         */
        public static Column percent(String name, String kind) {
            return new Column(name, kind, Better.HIGH, 100, 1);
        }
    }

    /** One number: ours, and the paper's as it is printed (NaN where it has none). */
    public record Entry(Spread ours, double paper) {

        /** Whether there is a number of ours, from at least one run. */
        public boolean isThere() {
            return ours.runs() > 0;
        }
    }

    /**
     * One line of the table.
     *
     * @param labels one per label of the table; the first one is the data set
     * @param entries one per column
     */
    public record Line(List<String> labels, List<Entry> entries) {}

    /** Whether its numbers are means over runs. */
    public boolean hasRuns() {
        return lines.stream().flatMap(line -> line.entries.stream()).anyMatch(entry -> entry.ours.runs() > 1);
    }

    /** 1 for the best, 2 for the runner-up, 0 for others; those that print alike share their place. Two numbers alone are no contest. */
    public int place(int line, int column) {
        Better better = columns.get(column).better;
        Entry own = lines.get(line).entries.get(column);
        if (better == Better.NEITHER || !own.isThere()) {
            return 0;
        }
        double sign = better == Better.HIGH ? 1 : -1;
        double[] values = IntStream.range(0, lines.size())
                .filter(i -> contest == Contest.LINE
                        ? i == line
                        : lines.get(i)
                                .labels
                                .get(0)
                                .equals(lines.get(line).labels.get(0)))
                .boxed()
                .flatMapToDouble(i -> IntStream.range(0, columns.size())
                        .filter(c -> columns.get(c).kind.equals(columns.get(column).kind))
                        .mapToObj(c -> lines.get(i).entries.get(c))
                        .filter(Entry::isThere)
                        .mapToDouble(entry -> sign * printed(column, entry)))
                .toArray();
        double mine = sign * printed(column, own);
        long above = Arrays.stream(values).filter(v -> v > mine).distinct().count();
        return values.length < 3 || above > 1 ? 0 : 1 + (int) above;
    }

    private double printed(int column, Entry entry) {
        return Double.parseDouble(number(column, entry.ours.mean()));
    }

    /** A value as its column prints it: times the factor, with its decimals; empty where it is not finite. */
    public String number(int column, double value) {
        Column c = columns.get(column);
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + c.decimals + "f", value * c.factor) : "";
    }

    /** A number that is in the units of the table already, such as the paper's; empty where there is none. */
    public String paperNumber(int column, double paper) {
        return Double.isFinite(paper)
                ? String.format(Locale.ROOT, "%." + columns.get(column).decimals + "f", paper)
                : "";
    }

    /** Ours less the paper's, in the units of the table; NaN where one is missing. */
    public double difference(int column, Entry entry) {
        return entry.isThere() ? entry.ours.mean() * columns.get(column).factor - entry.paper : Double.NaN;
    }

    /** Every number with its spread, number of runs, the paper's, and ours less the paper's. */
    public String csv() {
        StringBuilder text = new StringBuilder(String.join(",", labels));
        for (Column c : columns) {
            text.append(",").append(quoted(c.name));
            text.append(",").append(quoted(c.name + " std"));
            text.append(",").append(quoted(c.name + " runs"));
            text.append(",").append(quoted(c.name + " paper"));
            text.append(",").append(quoted(c.name + " difference"));
        }
        text.append("\n");
        for (Line line : lines) {
            text.append(String.join(",", line.labels.stream().map(Table::quoted).toList()));
            for (int c = 0; c < columns.size(); c++) {
                Entry entry = line.entries.get(c);
                text.append(",").append(entry.isThere() ? number(c, entry.ours.mean()) : "");
                text.append(",").append(entry.isThere() ? number(c, entry.ours.std()) : "");
                text.append(",").append(entry.ours.runs());
                text.append(",").append(paperNumber(c, entry.paper));
                text.append(",").append(paperNumber(c, difference(c, entry)));
            }
            text.append("\n");
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return text.matches("[\\w .()-]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /** For a paper: best bold, runner-up underlined. */
    public String latex() {
        StringBuilder text = new StringBuilder("% " + title + "\n\\begin{tabular}{" + "l".repeat(labels.size())
                + "r".repeat(columns.size()) + "}\n\\toprule\n");
        List<String> heads = new ArrayList<>(labels);
        columns.forEach(c -> heads.add(c.name));
        text.append(String.join(" & ", heads.stream().map(Table::escaped).toList()))
                .append(" \\\\\n\\midrule\n");
        Map<Integer, String> marks = new LinkedHashMap<>();
        marks.put(0, "%s");
        marks.put(1, "\\textbf{%s}");
        marks.put(2, "\\underline{%s}");
        for (int i = 0; i < lines.size(); i++) {
            List<String> cells = new ArrayList<>(
                    lines.get(i).labels.stream().map(Table::escaped).toList());
            for (int c = 0; c < columns.size(); c++) {
                Entry entry = lines.get(i).entries.get(c);
                cells.add(
                        entry.isThere()
                                ? String.format(marks.get(place(i, c)), number(c, entry.ours.mean()))
                                        + (entry.ours.runs() > 1 ? " $\\pm$ " + number(c, entry.ours.std()) : "")
                                : "--");
            }
            text.append(String.join(" & ", cells)).append(" \\\\\n");
        }
        return text.append("\\bottomrule\n\\end{tabular}\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("\\", "/").replaceAll("([&%$#_{}])", "\\\\$1");
    }
}
