package dev.nescio.report;

import dev.nescio.metric.Ranks;
import dev.nescio.metric.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A table of numbers beside those of the paper.
 *
 * @param id name of its files
 * @param labels heads of the columns that say what a row is; the first one is the data set
 * @param columns what is measured
 */
record Table(String id, String title, String note, List<String> labels, List<Column> columns, List<Line> lines) {

    /** Which end of a column is the good one. */
    enum Better {
        HIGH,
        LOW,
        NEITHER
    }

    /**
     * @param factor that numbers are multiplied by before they are printed
     */
    record Column(String name, Better better, double factor, int decimals) {

        static Column percent(String name) {
            return new Column(name, Better.HIGH, 100, 1);
        }
    }

    /** One number: ours, and the paper's as it is printed (NaN where it has none). */
    record Entry(Spread ours, double paper) {

        boolean isThere() {
            return ours.runs() > 0;
        }
    }

    record Line(List<String> labels, List<Entry> entries) {}

    /** 1 for the best of a data set and column, 2 for the runner-up, 0 for others. */
    int place(int line, int column) {
        Better better = columns.get(column).better;
        if (better == Better.NEITHER || !lines.get(line).entries.get(column).isThere()) {
            return 0;
        }
        double sign = better == Better.HIGH ? 1 : -1;
        String data = lines.get(line).labels.get(0);
        List<Double> values = new ArrayList<>();
        int own = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).labels.get(0).equals(data)) {
                own = i == line ? values.size() : own;
                values.add(sign * lines.get(i).entries.get(column).ours.mean());
            }
        }
        if (values.stream().filter(Double::isFinite).count() < 3) {
            return 0;
        }
        double rank = Ranks.of(values.stream().mapToDouble(v -> v).toArray())[own];
        return rank < 2 ? 1 : rank < 3 ? 2 : 0;
    }

    String number(int column, double value) {
        Column c = columns.get(column);
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + c.decimals + "f", value * c.factor) : "";
    }

    /** The paper's number as it is printed, or nothing. */
    String paperNumber(int column, double paper) {
        return Double.isFinite(paper)
                ? String.format(Locale.ROOT, "%." + columns.get(column).decimals + "f", paper)
                : "";
    }

    /** Ours less the paper's, in the units of the table; NaN where one is missing. */
    double difference(int column, Entry entry) {
        return entry.isThere() ? entry.ours.mean() * columns.get(column).factor - entry.paper : Double.NaN;
    }

    /** Every number with its spread, number of runs, and the paper's. */
    String csv() {
        StringBuilder text = new StringBuilder(String.join(",", labels));
        for (Column c : columns) {
            text.append(",").append(quoted(c.name));
            text.append(",").append(quoted(c.name + " std"));
            text.append(",").append(quoted(c.name + " runs"));
            text.append(",").append(quoted(c.name + " paper"));
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
            }
            text.append("\n");
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return text.matches("[\\w .()-]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /** For a paper: best bold, runner-up underlined. */
    String latex() {
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
                                ? String.format(marks.get(place(i, c)), number(c, entry.ours.mean())) + " $\\pm$ "
                                        + number(c, entry.ours.std())
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
