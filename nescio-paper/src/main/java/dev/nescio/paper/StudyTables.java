// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.metric.Ranks;
import dev.nescio.metric.Spread;
import dev.nescio.report.Table;
import dev.nescio.report.Table.Better;
import dev.nescio.report.Table.Column;
import dev.nescio.report.Table.Entry;
import dev.nescio.report.Table.Line;
import dev.nescio.shift.Shift;
import dev.nescio.shift.Shifts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** The tables of the paper from what a study has found out. */
public final class StudyTables {

    static final List<String> SIX = List.of("ensemble", "mcd", "ebm", "gnnsafe", "gebm", "jlde");
    private static final List<Shift> SHIFTS = List.of(Shifts.LEAVE_OUT, Shifts.NEAR, Shifts.FAR);
    private static final List<String> DENSITIES = List.of("jlde", "jlde-kde", "jlde-mixture");

    /** The estimator that takes hardly more than one forward pass. */
    private static final String ONE_PASS = "ebm";

    /** Rows of the main table: models that bring their own uncertainty, then all estimators on one backbone. */
    private static final List<List<String>> MAIN = List.of(
            List.of("gpn", "evidential"),
            List.of("sgcn", "evidential"),
            List.of("bgcn", "mcd"),
            List.of("gprgnn", "ebm"),
            List.of("fsgnn", "ebm"),
            List.of("fagcn", "ebm"),
            List.of("res-gcn", "ensemble"),
            List.of("res-gcn", "mcd"),
            List.of("res-gcn", "ebm"),
            List.of("res-gcn", "gnnsafe"),
            List.of("res-gcn", "gebm"),
            List.of("res-gcn", "jlde"));

    private final Results results;

    StudyTables(Results results) {
        this.results = results;
    }

    List<Table> all() {
        List<Table> all = new ArrayList<>();
        all.add(main());
        all.add(full("auc-roc", "AUC-ROC of all estimators", "auc_roc", true));
        all.add(full("auc-pr", "AUC-PR of all estimators", "auc_pr", false));
        for (String model : results.models()) {
            all.add(backbone(model));
        }
        all.add(ranks("ranks-auc-roc", "Average ranks by AUC-ROC", "auc_roc", true));
        all.add(ranksOfBoth());
        all.add(ranks("ranks-auc-pr", "Average ranks by AUC-PR", "auc_pr", false));
        all.add(perModel("accuracy", "Accuracy on clean data", "accuracy", "accuracy", Column.percent("accuracy")));
        all.add(perModel(
                "ece",
                "Expected calibration error on clean data",
                "calibration_error",
                "ece_percent",
                new Column("ECE", Better.LOW, 100, 1)));
        all.add(perModel(
                "brier",
                "Brier score on clean data (mean distance)",
                "brier",
                "brier",
                new Column("Brier", Better.LOW, 1, 2)));
        all.add(perModel(
                "brier-squared",
                "Brier score on clean data (mean squared distance)",
                "brier_squared",
                "",
                new Column("Brier, squared", Better.LOW, 1, 2)));
        all.add(misclassification());
        all.add(runtimes());
        all.add(densities());
        all.add(statistics());
        all.removeIf(table -> table.lines().isEmpty());
        return all;
    }

    private Table main() {
        List<Column> columns = new ArrayList<>();
        for (Shift shift : SHIFTS) {
            String name = PaperNames.shift(shift);
            columns.add(Column.percent(name + " alea.", name));
            columns.add(Column.percent(name + " epi.", name));
            columns.add(Column.percent(name + " acc."));
        }
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (List<String> row : MAIN) {
                lines.add(mainLine(data, row.get(0), row.get(1)));
            }
        }
        return new Table(
                "main",
                "Finding strange nodes: AUC-ROC of aleatoric and epistemic uncertainty, and accuracy on ordinary nodes",
                "Classes left out (LoC), features that are noise like the data (near) and unlike it (far).",
                List.of("data set", "model", "estimator"),
                columns,
                withNumbers(lines));
    }

    private Line mainLine(String data, String model, String estimator) {
        List<Entry> entries = new ArrayList<>();
        for (Shift shift : SHIFTS) {
            String theirs = PaperNames.estimator(model, estimator);
            entries.add(entry(
                    data,
                    model,
                    estimator,
                    shift,
                    "aleatoric_auc_roc",
                    paper(data, model, theirs, shift, "auc_roc_alea")));
            entries.add(
                    entry(data, model, estimator, shift, "auc_roc", paper(data, model, theirs, shift, "auc_roc_epi")));
            // The paper has one accuracy per model: that of the network itself.
            boolean isOfNetwork = !model.equals("res-gcn") || estimator.equals("jlde");
            double accuracy = isOfNetwork ? paper(data, model, "-", shift, "accuracy") : Double.NaN;
            entries.add(entry(data, model, estimator, shift, "accuracy", accuracy));
        }
        return new Line(
                List.of(results.title(data), PaperNames.model(model), PaperNames.estimator(model, estimator)), entries);
    }

    private double paper(String data, String model, String estimator, Shift shift, String metric) {
        return PaperTables.mean(
                "main_ood",
                PaperNames.data(results.title(data)),
                PaperNames.model(model),
                estimator,
                PaperNames.shift(shift),
                metric);
    }

    private Entry entry(String data, String model, String estimator, Shift shift, String measure, double paper) {
        return new Entry(results.get(data, model, estimator, shift, measure), paper);
    }

    private Table full(String id, String title, String measure, boolean inPaper) {
        List<Column> columns = new ArrayList<>();
        for (Shift shift : SHIFTS) {
            String name = PaperNames.shift(shift);
            columns.add(Column.percent(name + " alea.", name));
            columns.add(Column.percent(name + " epi.", name));
        }
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : results.models()) {
                for (String estimator : results.estimators(model)) {
                    String theirs = PaperNames.estimator(model, estimator);
                    List<Entry> entries = new ArrayList<>();
                    for (Shift shift : SHIFTS) {
                        double aleatoric = inPaper ? paper(data, model, theirs, shift, "auc_roc_alea") : Double.NaN;
                        double epistemic = inPaper ? paper(data, model, theirs, shift, "auc_roc_epi") : Double.NaN;
                        entries.add(entry(data, model, estimator, shift, "aleatoric_" + measure, aleatoric));
                        entries.add(entry(data, model, estimator, shift, measure, epistemic));
                    }
                    lines.add(new Line(List.of(results.title(data), PaperNames.model(model), estimator), entries));
                }
            }
        }
        return new Table(id, title, "", List.of("data set", "model", "estimator"), columns, withNumbers(lines));
    }

    /** Lines with something of ours. */
    private static List<Line> withNumbers(List<Line> lines) {
        return lines.stream()
                .filter(line -> line.entries().stream().anyMatch(Entry::isThere))
                .toList();
    }

    private Table backbone(String model) {
        List<Column> columns = new ArrayList<>();
        for (Shift shift : SHIFTS) {
            String name = PaperNames.shift(shift);
            columns.add(Column.percent(name + " AUC-ROC"));
            columns.add(Column.percent(name + " AUC-PR"));
            columns.add(new Column(name + " FPR95", Better.LOW, 100, 1));
            columns.add(Column.percent(name + " acc. all"));
        }
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String estimator : results.estimators(model)) {
                List<Entry> entries = new ArrayList<>();
                for (Shift shift : SHIFTS) {
                    for (String measure : List.of("auc_roc", "auc_pr", "false_alarms", "accuracy_all")) {
                        entries.add(entry(data, model, estimator, shift, measure, Double.NaN));
                    }
                }
                lines.add(new Line(List.of(results.title(data), estimator), entries));
            }
        }
        return new Table(
                "backbone-" + Table.fileName(model),
                "All estimators on " + PaperNames.model(model),
                "",
                List.of("data set", "estimator"),
                columns,
                withNumbers(lines));
    }

    /** The six estimators ranked by their means, on every backbone that has all of them for all shifts. */
    private Table ranks(String id, String title, String measure, boolean inPaper) {
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : results.models()) {
                double[] ranks = ranks(data, model, measure);
                List<Entry> entries = new ArrayList<>();
                for (int e = 0; e < SIX.size(); e++) {
                    double paper = inPaper ? paperRank(data, model, SIX.get(e)) : Double.NaN;
                    entries.add(rankEntry(ranks[e], paper));
                }
                lines.add(new Line(List.of(results.title(data), PaperNames.model(model)), entries));
            }
        }
        return rankTable(
                id, title, SIX.stream().map(e -> PaperNames.estimator("", e)).toList(), lines);
    }

    private static Table rankTable(String id, String title, List<String> names, List<Line> lines) {
        return new Table(
                id,
                title,
                "Of the means, classes left out counting half, near and far a quarter each; 1 is best.",
                List.of("data set", "model"),
                names.stream()
                        .map(name -> new Column(name, "rank", Better.LOW, 1, 2))
                        .toList(),
                withNumbers(lines),
                Table.Contest.LINE);
    }

    /**
     * Epistemic and aleatoric estimators ranked together. Estimators that leave the prediction as it is share one aleatoric
     * uncertainty.
     */
    private Table ranksOfBoth() {
        List<String> predicting = List.of("ensemble", "mcd", "ebm");
        List<String> names = new ArrayList<>();
        SIX.forEach(e -> names.add(PaperNames.estimator("", e)));
        predicting.forEach(e -> names.add((e.equals("ebm") ? "network" : PaperNames.estimator("", e)) + " alea."));
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : results.models()) {
                double[] ranks = averageRanks(shift -> DoubleStream.concat(
                                SIX.stream().mapToDouble(e -> mean(data, model, e, shift, "auc_roc")),
                                predicting.stream().mapToDouble(e -> mean(data, model, e, shift, "aleatoric_auc_roc")))
                        .toArray());
                lines.add(new Line(
                        List.of(results.title(data), PaperNames.model(model)),
                        Arrays.stream(ranks)
                                .mapToObj(rank -> rankEntry(rank, Double.NaN))
                                .toList()));
            }
        }
        return rankTable(
                "ranks-both", "Average ranks by AUC-ROC, epistemic and aleatoric estimators together", names, lines);
    }

    private static Entry rankEntry(double rank, double paper) {
        return new Entry(new Spread(rank, 0, Double.isNaN(rank) ? 0 : 1), paper);
    }

    private double mean(String data, String model, String estimator, Shift shift, String measure) {
        return results.get(data, model, estimator, shift, measure).mean();
    }

    double paperRank(String data, String model, String estimator) {
        return PaperTables.mean(
                "rank_epi",
                PaperNames.data(results.title(data)),
                PaperNames.model(model),
                PaperNames.estimator(model, estimator),
                "avg(50/25/25)",
                "rank_epi_auc_roc");
    }

    /** Average ranks of the six; all NaN where one of them has not been run. */
    double[] ranks(String data, String model, String measure) {
        return averageRanks(shift -> SIX.stream()
                .mapToDouble(e -> mean(data, model, e, shift, measure))
                .toArray());
    }

    /** Of what every shift ranks; all NaN where a number is missing. */
    private static double[] averageRanks(Function<Shift, double[]> values) {
        double[][] perShift = SHIFTS.stream().map(values).map(Ranks::of).toArray(double[][]::new);
        double[] average = new double[perShift[0].length];
        for (int e = 0; e < average.length; e++) {
            average[e] = Ranks.average(perShift[0][e], perShift[1][e], perShift[2][e]);
        }
        if (Arrays.stream(average).anyMatch(Double::isNaN)) {
            Arrays.fill(average, Double.NaN);
        }
        return average;
    }

    private Table perModel(String id, String title, String measure, String metric, Column column) {
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : PaperNames.models()) {
                double paper = PaperTables.mean(
                        id, PaperNames.data(results.title(data)), PaperNames.model(model), "-", "clean", metric);
                lines.add(new Line(
                        List.of(results.title(data), PaperNames.model(model)),
                        List.of(new Entry(results.ofModel(data, model, Shifts.CLEAN, measure), paper))));
            }
        }
        return new Table(id, title, "", List.of("data set", "model"), List.of(column), withNumbers(lines));
    }

    private Table misclassification() {
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : results.models()) {
                for (String estimator : results.estimators(model)) {
                    List<Entry> entries = new ArrayList<>();
                    for (String measure : List.of(
                            "errors_auc_roc", "errors_auc_pr", "errors_aleatoric_auc_roc", "errors_aleatoric_auc_pr")) {
                        entries.add(entry(data, model, estimator, Shifts.CLEAN, measure, Double.NaN));
                    }
                    lines.add(new Line(List.of(results.title(data), PaperNames.model(model), estimator), entries));
                }
            }
        }
        return new Table(
                "misclassification",
                "Finding wrong predictions on clean data",
                "Wrong predictions are the positives.",
                List.of("data set", "model", "estimator"),
                List.of(
                        Column.percent("epi. AUC-ROC"),
                        Column.percent("epi. AUC-PR"),
                        Column.percent("alea. AUC-ROC"),
                        Column.percent("alea. AUC-PR")),
                withNumbers(lines));
    }

    private Table runtimes() {
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : results.models()) {
                for (String estimator : results.estimators(model)) {
                    Spread seconds = seconds(data, model, estimator);
                    Spread training = results.of(data, model, estimator, Shifts.CLEAN, row -> row.provenance()
                            .secondsTrain());
                    Spread passes = seconds.over(seconds(data, model, ONE_PASS).mean());
                    double paper = paperSeconds(data, model, estimator);
                    lines.add(new Line(
                            List.of(results.title(data), PaperNames.model(model), estimator),
                            List.of(
                                    new Entry(passes, paper / paperSeconds(data, model, ONE_PASS)),
                                    new Entry(seconds, paper),
                                    new Entry(training, Double.NaN))));
                }
            }
        }
        return new Table(
                "runtimes",
                "Time to fit and score all nodes, on one core",
                "Forward passes are counted, trainings stand by themselves. One forward pass is what EBM takes on the same model;"
                        + " the paper's machine is not this one, so compare the multiples of it.",
                List.of("data set", "model", "estimator"),
                List.of(
                        new Column("forward passes", Better.LOW, 1, 1),
                        new Column("seconds", Better.LOW, 1, 2),
                        new Column("training", Better.NEITHER, 1, 1)),
                withNumbers(lines));
    }

    private Spread seconds(String data, String model, String estimator) {
        return results.of(
                data,
                model,
                estimator,
                Shifts.CLEAN,
                row -> row.provenance().secondsFit() + row.provenance().secondsScore());
    }

    private double paperSeconds(String data, String model, String estimator) {
        return PaperTables.mean(
                "runtime",
                PaperNames.data(results.title(data)),
                "",
                PaperNames.runtime(model, estimator),
                "",
                "seconds");
    }

    private Table densities() {
        List<Line> lines = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : results.models()) {
                for (String estimator : DENSITIES) {
                    lines.add(new Line(
                            List.of(results.title(data), PaperNames.model(model), PaperNames.density(estimator)),
                            SHIFTS.stream()
                                    .map(shift -> entry(
                                            data,
                                            model,
                                            estimator,
                                            shift,
                                            "auc_roc",
                                            PaperTables.mean(
                                                    "density_ablation",
                                                    PaperNames.data(results.title(data)),
                                                    PaperNames.model(model),
                                                    PaperNames.density(estimator),
                                                    PaperNames.shift(shift),
                                                    "auc_roc_epi")))
                                    .toList()));
                }
            }
        }
        return new Table(
                "densities",
                "Which density: AUC-ROC of nearest neighbours, kernels and a mixture",
                "The paper has them on Res-GATE.",
                List.of("data set", "model", "density"),
                SHIFTS.stream().map(s -> Column.percent(PaperNames.shift(s))).toList(),
                withNumbers(lines));
    }

    private Table statistics() {
        List<String> names = List.of(
                "num_nodes",
                "num_directed_edges",
                "num_features",
                "num_classes",
                "num_loc_classes",
                "loc_node_fraction",
                "edge_homophily",
                "node_homophily",
                "class_homophily",
                "adjusted_homophily");
        List<Line> lines = results.data().stream()
                .map(data -> new Line(
                        List.of(results.title(data)),
                        names.stream()
                                .map(name -> new Entry(
                                        new Spread(results.statistic(data, name), 0, 1),
                                        PaperTables.mean(
                                                "dataset_statistics",
                                                PaperNames.data(results.title(data)),
                                                "",
                                                "",
                                                "",
                                                name)))
                                .toList()))
                .toList();
        return new Table(
                "statistics",
                "The data",
                "",
                List.of("data set"),
                names.stream()
                        .map(name -> new Column(
                                name.replaceFirst("^num_", "").replace("_", " "),
                                Better.NEITHER,
                                1,
                                name.startsWith("num_") ? 0 : 2))
                        .toList(),
                lines);
    }
}
