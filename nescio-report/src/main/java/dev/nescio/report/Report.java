// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import dev.nescio.detector.Detector;
import dev.nescio.detector.Evaluation;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.metric.Interval;
import dev.nescio.metric.Roc;
import dev.nescio.uncertainty.density.JointEmbedding;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Pca;
import dev.nescio.uncertainty.density.Scaling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A self-contained page about the test nodes of a split: how uncertainty is spread, what it finds, where it is right, and
 * how to make it again. Where a class was left out, its nodes are what is to be found; otherwise wrong predictions are.
 */
public final class Report {

    private static final int BINS = 30;
    private static final int GROUPS = 10;
    private static final int TOP = 10;
    private static final int MOST_POINTS = 4000;
    private static final int MOST_CURVE_POINTS = 400;

    private final Detector detector;
    private final Scores scores;
    private static final double ALPHA = 0.05;

    private final Graph graph;
    private final int[] learnedLabels;
    private final NodeSet seen;
    private final NodeSet unseen;
    private final NodeSet tested;

    /** Prepares a report on the test nodes of a split. The scores must be those of all nodes of the graph, with predictions. */
    public Report(Detector detector, Scores scores, Graph graph, Split split) {
        this.detector = detector;
        this.scores = scores;
        this.graph = graph;
        this.learnedLabels = Evaluation.learnedLabels(detector, graph);
        this.seen = split.test().filter(v -> learnedLabels[v] >= 0);
        this.unseen = split.test().filter(v -> Evaluation.isUnseen(detector, graph, v));
        this.tested = split.test().filter(v -> seen.contains(v) || unseen.contains(v));
    }

    /**
     * The page.
     *
     * @param figures headline numbers by label
     * @param next commands that take it from here, by what they do
     * @param reproduce what it takes to make this again, by name
     */
    public String html(Map<String, String> figures, Map<String, String> next, Map<String, String> reproduce) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("title", "What " + graph.name() + " does not know");
        data.put(
                "subtitle",
                String.format(
                        Locale.ROOT,
                        "%,d nodes, %,d directed edges; %s, trained on %s%s",
                        graph.nodes(),
                        graph.adjacency().edges(),
                        detector.options().architecture().name(),
                        String.join(", ", detector.classes()),
                        unseen.isEmpty()
                                ? ""
                                : "; never trained on "
                                        + String.join(
                                                ", ", detector.provenance().leftOut())));
        data.put(
                "figures",
                figures.entrySet().stream()
                        .map(f -> Map.of("label", f.getKey(), "value", f.getValue()))
                        .toList());
        data.put("histogram", histogram());
        data.put("rocTitle", unseen.isEmpty() ? "Finding wrong predictions" : "Finding the unseen classes");
        data.put("roc", List.of(curve("epistemic", scores.epistemic()), curve("aleatoric", scores.aleatoric())));
        data.put("accuracy", accuracyByUncertainty());
        data.put("embedding", embedding());
        data.put("top", mostUncertain());
        data.put("next", next);
        data.put("reproduce", reproduce);
        return Page.render(data);
    }

    private Map<String, Object> histogram() {
        double[] all =
                tested.stream().mapToDouble(v -> scores.epistemic()[v]).sorted().toArray();
        double low = all.length == 0 ? 0 : all[0];
        double high = all.length == 0 ? 1 : Math.max(all[(int) (0.99 * (all.length - 1))], Math.nextUp(low));
        List<String> bins = new ArrayList<>();
        for (int b = 0; b < BINS; b++) {
            bins.add(String.format(Locale.ROOT, "%.3g", low + (b + 0.5) * (high - low) / BINS));
        }
        List<Object> series =
                new ArrayList<>(List.of(Map.of("name", "known classes", "shares", shares(seen, low, high))));
        if (!unseen.isEmpty()) {
            series.add(Map.of("name", "unseen classes", "shares", shares(unseen, low, high)));
        }
        Map<String, Object> histogram = new LinkedHashMap<>();
        String note = "Test nodes; the last bar holds the top 1 % and beyond.";
        if (scores.calibration().knows(scores.estimator())) {
            double threshold = scores.calibration().pValues(scores.estimator()).threshold(ALPHA);
            if (Double.isFinite(threshold)) {
                histogram.put("threshold", bin(threshold, low, high));
                note += String.format(
                        Locale.ROOT,
                        " The dashed line is the threshold of --alpha %s, %.4g: about %.0f %% of ordinary nodes lie beyond it.",
                        ALPHA,
                        threshold,
                        100 * ALPHA);
            }
        }
        histogram.put("note", note);
        histogram.put("bins", bins);
        histogram.put("series", series);
        return histogram;
    }

    private static int bin(double value, double low, double high) {
        return Math.max(0, Math.min(BINS - 1, (int) ((value - low) / (high - low) * BINS)));
    }

    private double[] shares(NodeSet nodes, double low, double high) {
        double[] shares = new double[BINS];
        for (int node : nodes.toArray()) {
            shares[bin(scores.epistemic()[node], low, high)] += 1.0 / nodes.size();
        }
        return shares;
    }

    private Map<String, Object> curve(String name, double[] uncertainty) {
        NodeSet right = unseen.isEmpty() ? seen.filter(this::isRight) : seen;
        NodeSet wanted = unseen.isEmpty() ? seen.filter(v -> !isRight(v)) : unseen;
        Roc roc = Evaluation.roc(uncertainty, right, wanted);
        List<double[]> points = new ArrayList<>();
        int step = Math.max(1, roc.points().size() / MOST_CURVE_POINTS);
        for (int i = 0; i < roc.points().size(); i++) {
            if (i % step == 0 || i == roc.points().size() - 1) {
                Roc.Point p = roc.points().get(i);
                points.add(new double[] {p.falsePositiveRate(), p.truePositiveRate()});
            }
        }
        return Map.of("name", String.format(Locale.ROOT, "%s (AUC %.3f)", name, roc.auc()), "points", points);
    }

    private boolean isRight(int node) {
        return scores.prediction().label()[node] == learnedLabels[node];
    }

    private Map<String, Object> accuracyByUncertainty() {
        int[] order = byUncertainty(seen);
        List<Object> groups = new ArrayList<>();
        for (int g = 0; g < GROUPS; g++) {
            int[] group = Arrays.copyOfRange(order, order.length * g / GROUPS, order.length * (g + 1) / GROUPS);
            if (group.length > 0) {
                int right = (int) Arrays.stream(group).filter(this::isRight).count();
                Interval interval = Interval.of(right, group.length);
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("nodes", group.length);
                one.put("right", right);
                one.put("accuracy", (double) right / group.length);
                one.put("low", interval.low());
                one.put("high", interval.high());
                groups.add(one);
            }
        }
        return Map.of(
                "note",
                String.format(
                        Locale.ROOT,
                        "%,d test nodes of known classes in %d groups of about equal size, from the least to the most uncertain; lines are"
                                + " 95 %% intervals.",
                        seen.size(),
                        groups.size()),
                "groups",
                groups);
    }

    /** Test nodes from the least to the most uncertain. */
    private int[] byUncertainty(NodeSet nodes) {
        return nodes.stream()
                .boxed()
                .sorted(Comparator.comparingDouble(v -> scores.epistemic()[v]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private Map<String, Object> embedding() {
        int[] all = tested.toArray();
        int step = Math.max(1, (all.length + MOST_POINTS - 1) / MOST_POINTS);
        NodeSet shown = NodeSet.of(IntStream.range(0, all.length)
                .filter(i -> i % step == 0)
                .map(i -> all[i])
                .toArray());
        if (shown.isEmpty()) {
            return Map.of("note", "There are no test nodes.", "groups", List.of());
        }
        int[] nodes = shown.toArray();
        List<DenseMatrix> states = detector.forward(graph).matrices();
        DenseMatrix joint =
                JointEmbedding.fit(states, new Keep.Share(0.95), Scaling.NONE).apply(states, nodes);
        Pca pca = Pca.fit(joint, new Keep.Count(2));
        int[] order = byUncertainty(shown);
        double[] rank = new double[graph.nodes()];
        for (int i = 0; i < order.length; i++) {
            rank[order[i]] = order.length == 1 ? 0 : (double) i / (order.length - 1);
        }
        List<Object> known = new ArrayList<>();
        List<Object> strange = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            (unseen.contains(nodes[i]) ? strange : known).add(point(nodes[i], project(pca, joint, i), rank[nodes[i]]));
        }
        return Map.of(
                "note",
                "All layers of a node joined, its first two principal components.",
                "groups",
                strange.isEmpty()
                        ? List.of(Map.of("name", "known classes", "points", known))
                        : List.of(
                                Map.of("name", "known classes", "points", known),
                                Map.of("name", "unseen classes", "points", strange)));
    }

    private Map<String, Object> point(int node, double[] place, double rank) {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("x", (float) place[0]);
        point.put("y", (float) place[1]);
        point.put("rank", (float) rank);
        point.put("node", scores.ids().name(node));
        point.put("predicted", scores.predicted(node));
        point.put("epistemic", scores.epistemic()[node]);
        return point;
    }

    private static double[] project(Pca pca, DenseMatrix rows, int row) {
        double[] place = new double[2];
        for (int c = 0; c < pca.components().columns(); c++) {
            for (int j = 0; j < rows.columns(); j++) {
                place[c] +=
                        (rows.get(row, j) - pca.mean()[j]) * pca.components().get(j, c);
            }
        }
        return place;
    }

    private Map<String, Object> mostUncertain() {
        int[] order = byUncertainty(tested);
        List<List<String>> rows = new ArrayList<>();
        for (int i = order.length - 1; i >= Math.max(0, order.length - TOP); i--) {
            int v = order[i];
            rows.add(List.of(
                    scores.ids().name(v),
                    graph.classes().get(graph.label(v)),
                    scores.predicted(v),
                    number(scores.prediction().probability()[v]),
                    number(scores.aleatoric(v)),
                    number(scores.epistemic()[v]),
                    Integer.toString(graph.adjacency().degree(v))));
        }
        return Map.of(
                "columns",
                List.of("node", "true class", "predicted", "probability", "aleatoric", "epistemic", "neighbours"),
                "rows",
                rows);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }
}
