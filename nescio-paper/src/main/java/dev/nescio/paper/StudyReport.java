// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadInput;
import dev.nescio.report.Page;
import dev.nescio.report.Svg;
import dev.nescio.report.Table;
import dev.nescio.report.Table.Entry;
import dev.nescio.study.Cell;
import dev.nescio.study.Row;
import dev.nescio.study.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One page about a study, beside the paper; also every table as CSV and LaTeX and every figure as SVG. */
public final class StudyReport {

    private final Results results;
    private final List<Table> tables;
    private final List<StudyFigures.Figure> figures;
    private final List<Findings.Finding> findings;
    private final List<Agreement> agreements;
    private final Remarks remarks;

    public StudyReport(Store store) {
        this(store, Remarks.NONE);
    }

    /** With what is known about cells that differ from the paper's. */
    public StudyReport(Store store, Remarks remarks) {
        this.results = new Results(store);
        if (results.rows().isEmpty()) {
            throw new BadInput("this study has no results yet");
        }
        StudyTables makers = new StudyTables(results);
        this.tables = makers.all();
        this.figures = new StudyFigures(results).all();
        this.findings = new Findings(results, makers).all();
        this.agreements = Agreement.of(tables);
        this.remarks = remarks;
    }

    /** Writes everything into a folder. */
    public Path write(Path folder) {
        for (Table table : tables) {
            AtomicFile.write(folder.resolve("tables").resolve(table.id() + ".csv"), table.csv());
            AtomicFile.write(folder.resolve("tables").resolve(table.id() + ".tex"), table.latex());
        }
        for (StudyFigures.Figure figure : figures) {
            AtomicFile.write(folder.resolve("figures").resolve(figure.id() + ".svg"), figure.svg());
        }
        Path page = folder.resolve("report.html");
        AtomicFile.write(page, html());
        return page;
    }

    private String html() {
        StringBuilder body = new StringBuilder();
        body.append("<h1>What Nescio found beside what the paper says</h1>\n");
        appendContents(body);
        body.append("<p>").append(Svg.escaped(whatWasRun())).append("</p>\n<dl>\n");
        for (Findings.Finding finding : findings) {
            body.append("<dt>").append(Svg.escaped(finding.question())).append("</dt><dd>");
            body.append(Svg.escaped(finding.answer())).append("</dd>\n");
        }
        body.append("</dl>\n");
        appendAgreement(body);
        for (StudyFigures.Figure figure : figures) {
            body.append("<figure id=\"").append(figure.id()).append("\">").append(figure.svg());
            body.append("<figcaption>").append(Svg.escaped(figure.note())).append("</figcaption></figure>\n");
        }
        body.append(
                "<p class=\"key\">In every cell: ours ± standard deviation over runs; below it the paper's number, the"
                        + " difference and the number of runs n. <b>Best</b> and <u>runner-up</u> of a data set are marked; equal"
                        + " numbers share their mark. A dot stands for what was not run. An AUC-ROC below 50 means that the strange"
                        + " nodes looked more ordinary than the ordinary ones. Click a head to sort.</p>\n");
        body.append("<p class=\"filter\"><label>Data set <select id=\"filter\"><option value=\"\">all</option>");
        for (String data : results.data()) {
            body.append("<option>").append(Svg.escaped(results.title(data))).append("</option>");
        }
        body.append("</select></label></p>\n");
        tables.forEach(table -> append(body, table));
        appendMisses(body);
        return Page.study(body.toString());
    }

    private void appendContents(StringBuilder body) {
        body.append("<nav>").append(link("agreement", "How close to the paper"));
        figures.forEach(f -> body.append(link(f.id(), f.title())));
        tables.forEach(t -> body.append(link(t.id(), t.title())));
        body.append(link("misses", "Numbers that are not close")).append("</nav>\n");
    }

    private static String link(String id, String title) {
        return "<a href=\"#" + id + "\">" + Svg.escaped(title) + "</a> ";
    }

    private String whatWasRun() {
        String models = results.models().stream().map(PaperNames::model).collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%,d results of the models %s on %s%s. Made by %s.%s%s",
                results.rows().size(),
                models,
                results.data().stream().map(this::withSplits).collect(Collectors.joining(", ")),
                results.moons().isEmpty() ? "" : " and " + results.moons().size() + " graphs of moons",
                results.rows().stream()
                        .map(row -> row.provenance().version())
                        .distinct()
                        .collect(Collectors.joining("; ")),
                results.purpose()
                        .map(p -> String.format(Locale.ROOT, " Study %s; it has %,d cells.", p.summary(), p.cells()))
                        .orElse(""),
                results.data().stream().map(this::whatIsMissing).collect(Collectors.joining()));
    }

    private String withSplits(String data) {
        long splits = results.rows().stream()
                .map(Row::cell)
                .filter(cell -> cell.data().equals(data))
                .map(Cell::split)
                .distinct()
                .count();
        return results.title(data) + " (" + splits + (splits == 1 ? " split)" : " splits)");
    }

    /** A sentence about a graph that is not the paper's whole one. */
    private String whatIsMissing(String data) {
        double ours = results.statistic(data, "num_directed_edges");
        double paper = PaperTables.mean(
                "dataset_statistics", PaperNames.data(results.title(data)), "", "", "", "num_directed_edges");
        return ours < paper
                ? String.format(
                        Locale.ROOT, " %s has %,.0f of the paper's %,.0f edges.", results.title(data), ours, paper)
                : "";
    }

    /** How many numbers of each table lie close to the paper's. */
    private void appendAgreement(StringBuilder body) {
        body.append("<section id=\"agreement\"><h2>How close to the paper</h2>\n");
        if (agreements.isEmpty()) {
            body.append("<p>Nothing can be compared with the paper yet.</p></section>\n");
            return;
        }
        body.append("<div class=\"wide\"><table><thead><tr><th>table</th><th>close means</th>"
                + "<th class=\"n\">numbers that are close</th></tr></thead><tbody>\n");
        for (Agreement agreement : agreements) {
            body.append("<tr><td>")
                    .append(link(agreement.table().id(), agreement.table().title()))
                    .append("</td><td>")
                    .append(Svg.escaped(agreement.limit()))
                    .append("</td><td class=\"n\">")
                    .append(agreement.share())
                    .append("</td></tr>\n");
        }
        body.append("</tbody></table></div></section>\n");
    }

    /** By table and by what is known about them. */
    private void appendMisses(StringBuilder body) {
        body.append("<section id=\"misses\"><h2>Numbers that are not close to the paper's</h2>\n");
        for (Agreement agreement : agreements) {
            Map<String, List<Agreement.Miss>> byReason = new LinkedHashMap<>();
            agreement.misses().forEach(miss -> byReason.computeIfAbsent(
                            remarks.about(miss.cell()), reason -> new ArrayList<>())
                    .add(miss));
            if (!byReason.isEmpty()) {
                body.append("<h3>")
                        .append(Svg.escaped(agreement.table().title()))
                        .append("</h3>\n");
            }
            byReason.forEach((reason, misses) -> {
                body.append("<p>").append(reason.isEmpty() ? "No reason known:" : Svg.escaped(reason));
                body.append("</p>\n<ul>\n");
                misses.forEach(miss -> body.append("<li>")
                        .append(Svg.escaped(miss.cell() + ": " + miss.numbers()))
                        .append("</li>\n"));
                body.append("</ul>\n");
            });
        }
        body.append("</section>\n");
    }

    private static void append(StringBuilder body, Table table) {
        body.append("<section id=\"").append(table.id()).append("\"><h2>").append(Svg.escaped(table.title()));
        body.append("</h2>\n<p>")
                .append(Svg.escaped(table.note()))
                .append("</p>\n<div class=\"wide\"><table><thead><tr>");
        table.labels()
                .forEach(label -> body.append("<th>").append(Svg.escaped(label)).append("</th>"));
        table.columns().forEach(c -> body.append("<th class=\"n\">")
                .append(Svg.escaped(c.name()))
                .append("</th>"));
        body.append("</tr></thead><tbody>\n");
        for (int i = 0; i < table.lines().size(); i++) {
            Table.Line line = table.lines().get(i);
            body.append("<tr data-set=\"")
                    .append(Svg.escaped(line.labels().get(0)))
                    .append("\">");
            line.labels()
                    .forEach(label ->
                            body.append("<td>").append(Svg.escaped(label)).append("</td>"));
            for (int c = 0; c < table.columns().size(); c++) {
                append(body, table, i, c);
            }
            body.append("</tr>\n");
        }
        body.append("</tbody></table></div></section>\n");
    }

    private static void append(StringBuilder body, Table table, int line, int column) {
        Entry entry = table.lines().get(line).entries().get(column);
        String paper = table.paperNumber(column, entry.paper());
        if (!entry.isThere()) {
            body.append("<td class=\"n none\">·")
                    .append(paper.isEmpty() ? "" : "<small>" + paper + "</small>")
                    .append("</td>");
            return;
        }
        String number = table.number(column, entry.ours().mean());
        String[] marks = {"%s", "<b>%s</b>", "<u>%s</u>"};
        body.append("<td class=\"n\" data-v=\"").append(number).append("\">");
        body.append(String.format(marks[table.place(line, column)], number));
        if (entry.ours().runs() > 1) {
            body.append("<span> ± ")
                    .append(table.number(column, entry.ours().std()))
                    .append("</span>");
        }
        body.append("<small>");
        if (!paper.isEmpty()) {
            int decimals = table.columns().get(column).decimals();
            body.append(paper)
                    .append(String.format(Locale.ROOT, " (%+." + decimals + "f) ", table.difference(column, entry)));
        }
        body.append(table.hasRuns() ? "n " + entry.ours().runs() : "").append("</small></td>");
    }
}
