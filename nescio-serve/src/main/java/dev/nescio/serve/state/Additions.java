// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.graph.Growth;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.TableSchema;
import dev.nescio.problem.NescioException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Nodes and edges on top of a graph, to be scored or kept. */
public final class Additions {

    private static final int MOST_GAPS = 5;

    private Additions() {}

    /** A graph with more in it, and which nodes are new. */
    record Grown(Overlay overlay, NodeSet added) {}

    static Grown grown(Overlay overlay, Change.Keep keep) {
        Growth growth = new Growth(overlay);
        try {
            for (Change.NewNode node : keep.nodes()) {
                float[] features = node.features();
                Map<String, @Nullable Object> columns = node.columns();
                if (features != null) {
                    growth.node(node.id(), features);
                } else {
                    growth.node(node.id(), columns == null ? Map.of() : columns);
                }
            }
            keep.edges().forEach(edge -> growth.edge(edge.get(0), edge.get(1)));
            return new Grown(growth.overlay(), growth.nodes());
        } catch (NescioException e) {
            throw new Refused(isTaken(e) ? 409 : 422, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isTaken(NescioException e) {
        return String.valueOf(e.getMessage()).endsWith("already exists");
    }

    /** Refuses nodes of which nothing is known: a network would say something about them all the same. */
    public static void requireColumns(Change.Keep given, @Nullable TableSchema schema) {
        Set<String> known = schema == null
                ? Set.of()
                : schema.columns().stream().map(TableSchema.Column::name).collect(Collectors.toSet());
        for (Change.NewNode node : given.nodes()) {
            Map<String, @Nullable Object> columns = node.columns();
            if (schema != null && columns != null && known.stream().allMatch(name -> columns.get(name) == null)) {
                throw new Refused(422, "node '" + State.shortened(node.id()) + "' has no value in any column");
            }
        }
    }

    /** Scores nodes and edges that are not kept. */
    public static Map<String, @Nullable Object> score(State state, Change.Keep given) {
        Grown grown = grown(state.overlay(), given);
        int changed = state.loaded().detector().looksAtAll()
                ? state.nodes()
                : grown.overlay
                        .touchedSince(state.overlay(), state.loaded().rounds())
                        .size();
        List<Map<String, @Nullable Object>> nodes =
                grown.added.isEmpty() ? List.of() : NodeAnswer.scored(state, grown.overlay, grown.added);
        return answer(null, nodes, changed, notes(grown, given));
    }

    static Map<String, @Nullable Object> answer(
            @Nullable Integer batch, List<Map<String, @Nullable Object>> nodes, int changed, List<String> notes) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("batch", batch);
        answer.put("nodes", nodes);
        answer.put("changed", changed);
        answer.put("notes", notes);
        return answer;
    }

    static List<String> notes(Grown grown, Change.Keep given) {
        List<String> notes = new ArrayList<>();
        long loops = given.edges().stream()
                .filter(edge -> edge.get(0).equals(edge.get(1)))
                .count();
        if (loops > 0) {
            notes.add(loops + (loops == 1 ? " edge from a node to itself was" : " edges from nodes to themselves were")
                    + " left out");
        }
        long alone = grown.added.stream()
                .filter(node -> grown.overlay.degree(node) == 0)
                .count();
        if (alone > 0) {
            notes.add(alone + (alone == 1 ? " new node has" : " new nodes have")
                    + " no edge: the network sees their features alone");
        }
        TableSchema schema = grown.overlay.base().schema();
        if (schema != null) {
            noteGaps(schema, given, notes);
            noteUnknown(schema, given, notes);
        }
        return notes;
    }

    /** A category that training has not seen is none of the known ones. */
    private static void noteUnknown(TableSchema schema, Change.Keep given, List<String> notes) {
        for (TableSchema.Column column : schema.columns()) {
            List<Object> strange = given.nodes().stream()
                    .map(Change.NewNode::columns)
                    .filter(Objects::nonNull)
                    .map(columns -> columns.get(column.name()))
                    .filter(value -> value != null && !column.knows(value))
                    .toList();
            if (!strange.isEmpty()) {
                notes.add("column '" + State.shortened(column.name()) + "': " + strange.size()
                        + (strange.size() == 1 ? " value is" : " values are") + " none of the "
                        + column.categories().size() + " known ones: '"
                        + State.shortened(String.valueOf(strange.get(0))) + "'" + (strange.size() == 1 ? "" : ", …"));
            }
        }
    }

    private static void noteGaps(TableSchema schema, Change.Keep given, List<String> notes) {
        List<String> all =
                schema.columns().stream().map(TableSchema.Column::name).toList();
        Map<String, Integer> gaps = new LinkedHashMap<>();
        for (Change.NewNode node : given.nodes()) {
            Map<String, @Nullable Object> columns = node.columns();
            if (columns != null) {
                all.stream()
                        .filter(name -> columns.get(name) == null)
                        .forEach(name -> gaps.merge(name, 1, Integer::sum));
            }
        }
        if (!gaps.isEmpty()) {
            String some = gaps.entrySet().stream()
                    .limit(MOST_GAPS)
                    .map(gap -> "'" + State.shortened(gap.getKey()) + "' (" + gap.getValue() + ")")
                    .collect(Collectors.joining(", "));
            notes.add("values are missing in " + gaps.size() + " of " + all.size() + " columns and were filled as in"
                    + " training: " + some + (gaps.size() > MOST_GAPS ? ", …" : ""));
        }
    }
}
