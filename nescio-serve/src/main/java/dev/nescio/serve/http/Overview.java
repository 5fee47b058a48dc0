// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.detector.DriftReport;
import dev.nescio.graph.Overlay;
import dev.nescio.serve.state.Batch;
import dev.nescio.serve.state.Deadline;
import dev.nescio.serve.state.Loaded;
import dev.nescio.serve.state.NodeAnswer;
import dev.nescio.serve.state.Reviews;
import dev.nescio.serve.state.State;
import dev.nescio.serve.state.View;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything at a glance, and what was kept over time. */
final class Overview {

    private static final int BINS = 40;
    private static final int MOST_THRESHOLDS = 200;
    private static final int MOST_BATCHES = 200;

    private final Live live;
    private final Shared<Moment, byte[]> answers;

    Overview(Live live) {
        this.live = live;
        this.answers = new Shared<>(live);
    }

    /** What an answer depends on: the state, and of how many batches the drift is not known yet. */
    private record Moment(long version, long pending) {}

    void get(Context context) {
        State state = live.state();
        Deadline deadline = live.deadline();
        byte[] bytes = answers.get(
                new Moment(state.version(), pending(state)), () -> Json.MAPPER.writeValueAsBytes(of(state, deadline)));
        context.contentType("application/json").result(bytes);
    }

    private static long pending(State state) {
        return state.batches().stream().filter(Batch::isPending).count();
    }

    private static Map<String, @Nullable Object> of(State state, Deadline deadline) {
        View view = state.view();
        Loaded loaded = state.loaded();
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("name", state.overlay().base().name());
        answer.put("detector", loaded.facts());
        answer.put("nodes", state.nodes());
        answer.put("edges", state.overlay().pairs());
        answer.put("scored", view.notTraining().length);
        answer.put("training", view.training());
        answer.put("stale", state.staleNodes());
        Map<String, @Nullable Object> decision = Decide.decision(state, state.alpha());
        for (String name : List.of("flagged", "alpha", "threshold", "expectedFalseAlarms", "promise")) {
            answer.put(name, decision.get(name));
        }
        answer.put("classes", classes(state));
        answer.put("histogram", histogram(state));
        answer.put("thresholds", thresholds(state));
        answer.put("kept", kept(state));
        int open = Queue.open(state, deadline);
        answer.put("review", review(state, open));
        answer.put("drift", drift(state));
        answer.put("driftPending", pending(state));
        answer.put("next", next(state, open));
        return answer;
    }

    private static List<Map<String, Object>> classes(State state) {
        List<String> names = state.loaded().classes();
        int[] nodes = new int[names.size()];
        int[] flagged = new int[names.size()];
        for (int v = 0; v < state.nodes(); v++) {
            nodes[state.predicted(v)]++;
            flagged[state.predicted(v)] += state.isFlagged(v) ? 1 : 0;
        }
        List<Map<String, Object>> answer = new ArrayList<>();
        for (int c = 0; c < nodes.length; c++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", names.get(c));
            row.put("nodes", nodes[c]);
            row.put("flagged", flagged[c]);
            answer.add(row);
        }
        return answer;
    }

    private static Map<String, Object> histogram(State state) {
        double[] scored = state.view().notTraining();
        double[] ordinary = state.loaded().ordinaryScores();
        double low =
                Math.min(scored.length == 0 ? 0 : scored[0], ordinary.length == 0 ? Double.MAX_VALUE : ordinary[0]);
        double high = Math.max(
                scored.length == 0 ? 1 : scored[scored.length - 1],
                ordinary.length == 0 ? -Double.MAX_VALUE : ordinary[ordinary.length - 1]);
        double width = high > low ? (high - low) / BINS : 1.0 / BINS;
        double[] edges = new double[BINS + 1];
        Arrays.setAll(edges, i -> low + i * width);
        Map<String, Object> histogram = new LinkedHashMap<>();
        histogram.put("edges", edges);
        histogram.put("ordinary", counts(ordinary, low, width));
        histogram.put("scored", counts(scored, low, width));
        return histogram;
    }

    private static int[] counts(double[] values, double low, double width) {
        int[] counts = new int[BINS];
        for (double value : values) {
            counts[(int) Math.max(0, Math.min(BINS - 1, Math.floor((value - low) / width)))]++;
        }
        return counts;
    }

    /** Levels that differ, close together where few are flagged, so that a slider needs no request. */
    private static List<Map<String, Object>> thresholds(State state) {
        int ordinary = state.loaded().ordinaryScores().length;
        View view = state.view();
        List<Map<String, Object>> rows = new ArrayList<>();
        int steps = Math.min(MOST_THRESHOLDS, ordinary);
        long last = 0;
        for (int i = 1; i <= steps; i++) {
            long rank = Math.round(Math.pow(ordinary, (double) i / steps));
            if (rank == last) {
                continue;
            }
            last = rank;
            double alpha = (double) rank / (1 + ordinary);
            double threshold = Decide.threshold(state, alpha);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("threshold", threshold);
            row.put("flagged", view.above(threshold));
            row.put("expectedFalseAlarms", alpha * view.notTraining().length);
            row.put("alpha", alpha);
            rows.add(row);
        }
        return rows;
    }

    private static Map<String, Object> kept(State state) {
        List<Batch> batches = state.batches();
        Map<String, Object> kept = new LinkedHashMap<>();
        kept.put("nodes", state.nodes() - state.overlay().base().nodes());
        kept.put(
                "edges",
                state.overlay().pairs() - Overlay.on(state.overlay().base()).pairs());
        kept.put("batches", batches.size());
        return kept;
    }

    private static Map<String, Object> review(State state, int open) {
        Reviews.Counts counts = state.reviews().counts();
        Map<String, Object> review = new LinkedHashMap<>();
        review.put("open", open);
        review.put("done", counts.done());
        review.put("ordinary", counts.ordinary());
        review.put("strange", counts.strange());
        review.put("labelled", counts.labelled());
        return review;
    }

    private static List<Map<String, @Nullable Object>> drift(State state) {
        List<Batch> batches = state.batches();
        return batches.subList(Math.max(0, batches.size() - MOST_BATCHES), batches.size()).stream()
                .map(Overview::drift)
                .toList();
    }

    private static boolean hasDrifted(Batch batch) {
        DriftReport report = batch.drift();
        return report != null && report.isDrift(Batch.LEVEL);
    }

    private static Map<String, @Nullable Object> drift(Batch batch) {
        DriftReport report = batch.drift();
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("batch", batch.number());
        row.put("at", batch.at());
        row.put("nodes", batch.nodes());
        row.put("pValue", report == null ? null : NodeAnswer.finite(report.pValue()));
        row.put("drifted", report != null && report.isDrift(Batch.LEVEL));
        row.put("tooFew", batch.isTooFew());
        row.put("pending", batch.isPending());
        row.put("causes", report == null ? List.of() : report.causes(Batch.LEVEL));
        return row;
    }

    private static List<Map<String, String>> next(State state, int open) {
        List<Map<String, String>> next = new ArrayList<>();
        if (open > 0) {
            next.add(Map.of(
                    "text", "Look at " + open + (open == 1 ? " flagged node" : " flagged nodes"), "href", "#/review"));
        }
        int labelled = state.reviews().counts().labelled();
        if (labelled > 0) {
            next.add(Map.of(
                    "text",
                    "Train again with " + labelled + (labelled == 1 ? " label" : " labels"),
                    "href",
                    "#/detector"));
        }
        if (state.batches().stream().anyMatch(Overview::hasDrifted)) {
            next.add(Map.of("text", "See what has drifted in the nodes that were kept", "href", "#/nodes?kept=true"));
        }
        if (next.isEmpty()) {
            next.add(Map.of("text", "Try a node of your own", "href", "#/try"));
        }
        return next;
    }

    void batches(Context context) {
        State state = live.state();
        List<Map<String, Object>> rows = state.batches().stream()
                .map(batch -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("batch", batch.number());
                    row.put("at", batch.at());
                    row.put("nodes", batch.nodes());
                    row.put("edges", batch.edges());
                    row.put("drift", drift(batch));
                    return row;
                })
                .toList();
        Json.answer(context, Map.of("batches", rows));
    }
}
