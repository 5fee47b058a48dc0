// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.detector.Detector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What each change makes of a state. The same changes in the same order make the same state, bit for bit: nothing here looks at the
 * clock or draws a number.
 */
final class Transitions {

    /** As many touched nodes are scored again at once; more of them wait their turn. */
    private static final int AT_ONCE = 2000;

    private static final int SETTLED_AT_A_TIME = 512;

    private final GraphReader graphs;
    private final Function<String, Detector> detectors;

    /** @param detectors reads a detector that lies in the store under a name */
    Transitions(GraphReader graphs, Function<String, Detector> detectors) {
        this.graphs = graphs;
        this.detectors = detectors;
    }

    /** The next state, and what to tell whoever asked for it. */
    record Outcome(State state, Map<String, @Nullable Object> answer) {}

    static State begin(Loaded loaded, Graph graph, double alpha) {
        loaded.requireFits(graph);
        Columns columns = Columns.of(loaded.detector().score(graph));
        return new State.Parts(loaded, Overlay.on(graph), columns, alpha).build();
    }

    Outcome apply(State state, Change.Entry entry) {
        String key = entry.key();
        Answers.Answer before = key == null ? null : state.answers().get(key);
        if (before != null) {
            if (!before.hash().equals(entry.hash())) {
                throw new Refused(
                        422,
                        "the Idempotency-Key '" + State.shortened(String.valueOf(key))
                                + "' was used with another request");
            }
            return new Outcome(state, before.content());
        }
        return made(state, entry);
    }

    /** What a change makes that is known not to be a repetition, such as every one in the journal. */
    Outcome made(State state, Change.Entry entry) {
        String key = entry.key();
        Outcome outcome = change(state, entry.change(), entry.at());
        if (key == null) {
            return outcome;
        }
        State.Parts parts = outcome.state.with();
        parts.answers = parts.answers.with(
                key, new Answers.Answer(Objects.requireNonNullElse(entry.hash(), ""), outcome.answer));
        return new Outcome(parts.build(), outcome.answer);
    }

    private Outcome change(State state, Change change, String at) {
        if (change instanceof Change.Keep keep) {
            return keep(state, keep, at);
        } else if (change instanceof Change.Settle) {
            return new Outcome(settle(state), Map.of());
        } else if (change instanceof Change.Decide decide) {
            State.Parts parts = state.with();
            parts.decision = State.Decision.of(state.loaded(), decide.alpha());
            return new Outcome(parts.build(), Map.of());
        } else if (change instanceof Change.Judge judge) {
            return reviewed(state, state.reviews().judge(judge, at), judge.by());
        } else if (change instanceof Change.Undo undo) {
            return reviewed(state, state.reviews().undo(undo.by(), at), undo.by());
        } else if (change instanceof Change.Redo redo) {
            return reviewed(state, state.reviews().redo(redo.by(), at), redo.by());
        } else if (change instanceof Change.Load load) {
            return load(state, load, at);
        }
        return new Outcome(state, Map.of());
    }

    private static Outcome reviewed(State state, Reviews.Step step, String by) {
        State.Parts parts = state.with();
        parts.reviews = step.after();
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("action", step.action());
        answer.put("canUndo", step.after().canUndo(by));
        answer.put("canRedo", step.after().canRedo(by));
        answer.put("notes", step.notes());
        return new Outcome(parts.build(), answer);
    }

    private static Outcome keep(State state, Change.Keep keep, String at) {
        Additions.Grown grown = Additions.grown(state.overlay(), keep);
        Overlay overlay = grown.overlay();
        Loaded loaded = state.loaded();
        State.Parts parts = state.withNewScores();
        parts.overlay = overlay;
        int number = state.batchCount() + 1;
        parts.batches = Stack.push(
                state.batchStack(),
                new Batch(
                        number,
                        at,
                        state.nodes(),
                        keep.nodes().size(),
                        keep.edges().size(),
                        loaded,
                        overlay));
        parts.kept = Stack.push(state.kept(), keep);
        int changed;
        if (loaded.detector().looksAtAll()) {
            Scores all = loaded.detector().score(overlay.toGraph());
            parts.columns = Columns.of(all);
            changed = state.nodes();
        } else {
            changed = score(parts, state, grown);
        }
        State next = parts.build();
        List<Map<String, @Nullable Object>> nodes = grown.added().stream()
                .mapToObj(node -> NodeAnswer.of(next, node))
                .toList();
        return new Outcome(next, Additions.answer(number, nodes, changed, Additions.notes(grown, keep)));
    }

    /** Scores what is new and, where they are few, the nodes that it touches; returns how many it touches. */
    private static int score(State.Parts parts, State state, Additions.Grown grown) {
        Overlay overlay = grown.overlay();
        NodeSet touched = overlay.touchedSince(state.overlay(), state.loaded().rounds());
        boolean atOnce = touched.size() <= AT_ONCE;
        NodeSet now = atOnce
                ? NodeSet.of(IntStream.concat(touched.stream(), grown.added().stream())
                        .toArray())
                : grown.added();
        parts.columns = now.isEmpty()
                ? state.columns()
                : state.columns()
                        .with(
                                overlay.nodes(),
                                now.toArray(),
                                state.loaded().detector().score(overlay, now));
        BitSet stale = state.stale();
        touched.stream().forEach(node -> stale.set(node, !atOnce));
        parts.stale = stale;
        return touched.size();
    }

    private static State settle(State state) {
        State.Parts parts = state.withNewScores();
        BitSet stale = state.stale();
        Detector detector = state.loaded().detector();
        if (stale.cardinality() > state.nodes() / 4) {
            Scores all = detector.score(state.overlay().toGraph());
            int[] some = stale.stream().toArray();
            parts.columns = state.columns().with(state.nodes(), some, all.of(NodeSet.of(some)));
            stale.clear();
        } else {
            NodeSet some = state.firstStale(SETTLED_AT_A_TIME);
            parts.columns = state.columns().with(state.nodes(), some.toArray(), detector.score(state.overlay(), some));
            some.stream().forEach(stale::clear);
        }
        parts.stale = stale;
        return parts.build();
    }

    private Outcome load(State state, Change.Load load, String at) {
        Detector detector = detectors.apply(load.file());
        int version = state.loaded().version() + 1;
        String name = Objects.requireNonNullElse(load.name(), "upload " + version);
        Loaded loaded = new Loaded(name, detector, at, version);
        boolean sameTables =
                Objects.equals(detector.schema(), state.loaded().detector().schema());
        Overlay overlay = sameTables ? state.overlay() : readAgain(state, loaded);
        loaded.requireFits(overlay.base());
        State.Parts parts = state.withNewScores();
        parts.loaded = loaded;
        parts.overlay = overlay;
        parts.columns = Columns.of(detector.score(overlay.toGraph()));
        parts.decision = State.Decision.of(loaded, state.alpha());
        parts.stale = new BitSet();
        State next = parts.build();
        return new Outcome(next, Comparison.of(state, next));
    }

    private Overlay readAgain(State state, Loaded loaded) {
        Overlay overlay = Overlay.on(graphs.read(loaded.detector().schema()));
        loaded.requireFits(overlay.base());
        List<Change.Keep> kept = new ArrayList<>(Stack.list(state.kept(), Integer.MAX_VALUE));
        Collections.reverse(kept);
        for (Change.Keep keep : kept) {
            overlay = Additions.grown(overlay, keep.of(loaded.detector().schema()))
                    .overlay();
        }
        return overlay;
    }
}
