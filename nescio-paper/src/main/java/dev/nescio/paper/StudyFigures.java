// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.metric.Spread;
import dev.nescio.report.Markup;
import dev.nescio.report.Svg;
import dev.nescio.report.Table;
import dev.nescio.shift.Shift;
import dev.nescio.shift.Shifts;
import dev.nescio.study.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The figures of the paper from what a study has found out. */
public final class StudyFigures {

    private static final Pattern ONE_STATE = Pattern.compile("jlde:states=(-?\\d+)");
    /** Behind single states: the first and the last of them, the sum of single scores, and all states joined. */
    private static final Map<String, String> SEVERAL = new LinkedHashMap<>();

    static {
        SEVERAL.put("jlde:states=0|-1", "first + last");
        SEVERAL.put("jlde:separate=true", "sum of scores");
        SEVERAL.put("jlde", "joint");
    }

    private static final List<Shift> SHIFTS = List.of(Shifts.LEAVE_OUT, Shifts.NEAR, Shifts.FAR);
    private static final int BINS = 20;

    private final Results results;

    /** A drawing and its caption. */
    record Figure(String id, String title, String note, Markup svg) {

        Figure {
            Table.requireFileName(id);
        }
    }

    StudyFigures(Results results) {
        this.results = results;
    }

    List<Figure> all() {
        List<Figure> all = new ArrayList<>();
        results.models().forEach(model -> SHIFTS.forEach(shift -> addLayers(all, model, shift)));
        addMoons(all);
        addConfidence(all);
        results.data().forEach(data -> addCompatibility(all, data));
        return all;
    }

    private void addLayers(List<Figure> all, String model, Shift shift) {
        List<String> data = results.data().stream()
                .filter(d ->
                        results.get(d, model, "jlde:states=0", shift, "auc_roc").runs() > 0)
                .toList();
        if (data.isEmpty()) {
            return;
        }
        Map<String, String> layers = new LinkedHashMap<>();
        singleStates(results, model).forEach(estimator -> layers.put(estimator, stateName(estimator)));
        layers.putAll(SEVERAL);
        List<Svg.Bars> bars = new ArrayList<>();
        layers.forEach((estimator, name) -> bars.add(new Svg.Bars(
                name,
                data.stream()
                        .mapToDouble(d -> 100
                                * results.get(d, model, estimator, shift, "auc_roc")
                                        .mean())
                        .toArray())));
        String title = "Which layers: " + PaperNames.model(model) + ", " + shift.meaning();
        all.add(new Figure(
                "layers-" + Table.fileName(model) + "-" + Table.fileName(shift.name()),
                title,
                "AUC-ROC of JLDE on single hidden states, on two, on the sum of their scores, and on all of them joined.",
                Svg.bars(title, "AUC-ROC", data.stream().map(results::title).toList(), bars, 0, 100)));
    }

    /** JLDE on one hidden state each, from the first to the last. */
    static List<String> singleStates(Results results, String model) {
        return results.estimators(model).stream()
                .filter(name -> ONE_STATE.matcher(name).matches())
                .sorted(Comparator.comparingInt(
                        name -> state(name) < 0 ? Integer.MAX_VALUE + state(name) : state(name)))
                .toList();
    }

    private static int state(String estimator) {
        return Integer.parseInt(ONE_STATE.matcher(estimator).replaceFirst("$1"));
    }

    private static String stateName(String estimator) {
        return switch (state(estimator)) {
            case 0 -> "first";
            case -1 -> "last";
            case 1 -> "second";
            default -> "state " + state(estimator);
        };
    }

    /** AUC-ROC over the homophily of the synthetic graph, ours and the paper's. */
    private void addMoons(List<Figure> all) {
        Map<Double, String> byHomophily = new LinkedHashMap<>();
        results.moons().stream()
                .sorted(Comparator.comparingDouble(StudyFigures::homophily))
                .forEach(name -> byHomophily.put(homophily(name), name));
        if (byHomophily.isEmpty()) {
            return;
        }
        double[] x = byHomophily.keySet().stream().mapToDouble(h -> h).toArray();
        List<Svg.Series> series = new ArrayList<>();
        for (String estimator : List.of("jlde", "gebm")) {
            double[] ours = byHomophily.values().stream()
                    .mapToDouble(name -> results.get(name, "res-gcn", estimator, Shifts.LEAVE_OUT, "auc_roc")
                            .mean())
                    .toArray();
            double[] theirs = byHomophily.keySet().stream()
                    .mapToDouble(h -> PaperTables.mean(
                            "moons_figure",
                            "synthetic moons",
                            "",
                            PaperNames.estimator("", estimator),
                            String.format(Locale.ROOT, "LoC@h=%.1f", h),
                            "auc_roc_epi"))
                    .toArray();
            series.add(new Svg.Series(PaperNames.estimator("", estimator), x, ours, false));
            series.add(new Svg.Series(PaperNames.estimator("", estimator) + ", paper", x, theirs, true));
        }
        String title = "Finding an unseen class as neighbours become alike";
        all.add(new Figure(
                "moons",
                title,
                "Two half-moons and a class of anomalies that training does not see; the paper's curves are dashed.",
                Svg.lines(title, "homophily that the generator was asked for", "AUC-ROC", series, 0, 1)));
    }

    static double homophily(String moons) {
        String text = moons.replaceFirst(".*homophily=", "").replaceFirst("&.*", "");
        return text.matches("[0-9.]+") ? Double.parseDouble(text) : Double.NaN;
    }

    private void addConfidence(List<Figure> all) {
        List<Svg.Series> series = new ArrayList<>();
        for (String data : results.data()) {
            double[] x = new double[BINS];
            double[] y = new double[BINS];
            for (int b = 0; b < BINS; b++) {
                int bin = b;
                x[b] = (b + 0.5) / BINS;
                y[b] = Spread.of(results.bins().stream()
                                .filter(one -> one.bin() == bin
                                        && one.cell().data().equals(data)
                                        && one.cell().model().equals("res-gcn"))
                                .mapToDouble(Store.Bin::accuracy))
                        .mean();
            }
            if (Arrays.stream(y).anyMatch(Double::isFinite)) {
                series.add(new Svg.Series(results.title(data), x, y, false));
            }
        }
        if (!series.isEmpty()) {
            String title = "Accuracy by confidence of JLDE on Res-GCN";
            all.add(new Figure(
                    "confidence",
                    title,
                    "Per run, confidence is scaled from the least to the most confident test node; 20 bins, mean over runs.",
                    Svg.lines(title, "confidence", "accuracy", series, 0, 1)));
        }
    }

    private void addCompatibility(List<Figure> all, String data) {
        int classes = (int) results.statistic(data, "num_classes");
        double[][] matrix = new double[classes][classes];
        results.statistics().stream()
                .filter(s -> s.data().equals(data) && s.name().equals("compatibility"))
                .forEach(s -> matrix[s.i()][s.j()] = s.value());
        String title = "Compatibility of classes: " + results.title(data);
        all.add(new Figure(
                "compatibility-" + data.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_"),
                title,
                "Share of the edge ends of a class (row) that land in another (column).",
                Svg.heatmap(title, matrix)));
    }
}
