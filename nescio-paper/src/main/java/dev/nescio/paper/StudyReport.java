// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadInput;
import dev.nescio.report.Markup;
import dev.nescio.report.Page;
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

    /** A report without remarks about cells that differ from the paper's; refuses a store without results. */
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
            AtomicFile.write(
                    folder.resolve("figures").resolve(figure.id() + ".svg"),
                    figure.svg().toString());
        }
        Path page = folder.resolve("report.html");
        AtomicFile.write(page, html());
        return page;
    }

    private String html() {
        Markup body = new Markup().put("h1", "What Nescio found beside what the paper says");
        contents(body);
        body.put("p", whatWasRun()).open("dl");
        findings.forEach(finding -> body.put("dt", finding.question()).put("dd", finding.answer()));
        body.close();
        agreement(body);
        for (StudyFigures.Figure figure : figures) {
            body.open("figure", "id", figure.id()).put(figure.svg());
            body.put("figcaption", figure.note()).close();
        }
        body.open("p", "class", "key")
                .text(
                        "In every cell: ours ± standard deviation over runs; below it the paper's number, the difference and the number"
                                + " of runs n. ")
                .put("b", "Best")
                .text(" and ")
                .put("u", "runner-up")
                .text(
                        " of a data set are marked; equal numbers share their mark. A dot stands for what was not run. An AUC-ROC below"
                                + " 50 means that the strange nodes looked more ordinary than the ordinary ones. Click a head to sort.")
                .close();
        body.open("p", "class", "filter").open("label").text("Data set ").open("select", "id", "filter");
        body.put("option", "all", "value", "");
        results.data().forEach(data -> body.put("option", results.title(data)));
        body.close().close().close();
        tables.forEach(table -> table(body, table));
        misses(body);
        return Page.study(body);
    }

    private void contents(Markup body) {
        body.open("nav");
        link(body, "agreement", "How close to the paper");
        figures.forEach(figure -> link(body, figure.id(), figure.title()));
        tables.forEach(table -> link(body, table.id(), table.title()));
        link(body, "misses", "Numbers that are not close");
        body.close();
    }

    private static void link(Markup body, String id, String title) {
        body.put("a", title, "href", "#" + id).text(" ");
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
    private void agreement(Markup body) {
        body.open("section", "id", "agreement").put("h2", "How close to the paper");
        if (agreements.isEmpty()) {
            body.put("p", "Nothing can be compared with the paper yet.").close();
            return;
        }
        body.open("div", "class", "wide").open("table").open("thead").open("tr");
        body.put("th", "table").put("th", "close means").put("th", "numbers that are close", "class", "n");
        body.close().close().open("tbody");
        for (Agreement agreement : agreements) {
            body.open("tr").open("td");
            link(body, agreement.table().id(), agreement.table().title());
            body.close()
                    .put("td", agreement.limit())
                    .put("td", agreement.share(), "class", "n")
                    .close();
        }
        body.close().close().close().close();
    }

    /** By table and by what is known about them. */
    private void misses(Markup body) {
        body.open("section", "id", "misses").put("h2", "Numbers that are not close to the paper's");
        for (Agreement agreement : agreements) {
            Map<String, List<Agreement.Miss>> byReason = new LinkedHashMap<>();
            agreement.misses().forEach(miss -> byReason.computeIfAbsent(
                            remarks.about(miss.cell()), reason -> new ArrayList<>())
                    .add(miss));
            if (!byReason.isEmpty()) {
                body.put("h3", agreement.table().title());
            }
            byReason.forEach((reason, misses) -> {
                body.put("p", reason.isEmpty() ? "No reason known:" : reason).open("ul");
                misses.forEach(miss -> body.put("li", miss.cell() + ": " + miss.numbers()));
                body.close();
            });
        }
        body.close();
    }

    private static void table(Markup body, Table table) {
        body.open("section", "id", table.id()).put("h2", table.title()).put("p", table.note());
        body.open("div", "class", "wide").open("table").open("thead").open("tr");
        table.labels().forEach(label -> body.put("th", label));
        table.columns().forEach(column -> body.put("th", column.name(), "class", "n"));
        body.close().close().open("tbody");
        for (int i = 0; i < table.lines().size(); i++) {
            Table.Line line = table.lines().get(i);
            body.open("tr", "data-set", line.labels().get(0));
            line.labels().forEach(label -> body.put("td", label));
            for (int c = 0; c < table.columns().size(); c++) {
                cell(body, table, i, c);
            }
            body.close();
        }
        body.close().close().close().close();
    }

    private static void cell(Markup body, Table table, int line, int column) {
        Entry entry = table.lines().get(line).entries().get(column);
        String paper = table.paperNumber(column, entry.paper());
        if (!entry.isThere()) {
            body.open("td", "class", "n none").text("·");
            if (!paper.isEmpty()) {
                body.put("small", paper);
            }
            body.close();
            return;
        }
        String number = table.number(column, entry.ours().mean());
        body.open("td", "class", "n", "data-v", number);
        switch (table.place(line, column)) {
            case 1 -> body.put("b", number);
            case 2 -> body.put("u", number);
            default -> body.text(number);
        }
        if (entry.ours().runs() > 1) {
            body.put("span", " ± " + table.number(column, entry.ours().std()));
        }
        body.open("small");
        if (!paper.isEmpty()) {
            int decimals = table.columns().get(column).decimals();
            body.text(paper + String.format(Locale.ROOT, " (%+." + decimals + "f) ", table.difference(column, entry)));
        }
        body.text(table.hasRuns() ? "n " + entry.ours().runs() : "").close().close();
    }
}
