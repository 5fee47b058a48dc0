// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.nescio.graph.TableSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Something that changes what the service knows; the journal holds nothing else. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Change.Begin.class, name = "begin"),
    @JsonSubTypes.Type(value = Change.Keep.class, name = "keep"),
    @JsonSubTypes.Type(value = Change.Settle.class, name = "settle"),
    @JsonSubTypes.Type(value = Change.Decide.class, name = "decide"),
    @JsonSubTypes.Type(value = Change.Judge.class, name = "review"),
    @JsonSubTypes.Type(value = Change.Undo.class, name = "undo"),
    @JsonSubTypes.Type(value = Change.Redo.class, name = "redo"),
    @JsonSubTypes.Type(value = Change.Load.class, name = "detector")
})
public sealed interface Change {

    /** How much a change takes while it waits, about. */
    default long characters() {
        return 1;
    }

    /**
     * The first record: what the journal belongs to.
     *
     * @param graph fingerprint of the graph that everything is added to
     * @param detector fingerprint of the detector that it began with
     */
    record Begin(String graph, String detector) implements Change {}

    /** Nodes and edges that join the graph. */
    record Keep(List<NewNode> nodes, List<List<String>> edges) implements Change {

        @Override
        public long characters() {
            long inEdges = edges.stream()
                    .mapToLong(ends -> ends.stream().mapToInt(String::length).sum())
                    .sum();
            return inEdges + nodes.stream().mapToLong(NewNode::characters).sum();
        }

        /** The same with those columns alone that another detector looks at. */
        Keep of(@Nullable TableSchema schema) {
            if (schema == null) {
                return this;
            }
            Set<String> known =
                    schema.columns().stream().map(TableSchema.Column::name).collect(Collectors.toSet());
            return new Keep(nodes.stream().map(node -> node.of(known)).toList(), edges);
        }
    }

    /**
     * A node that somebody wants scored.
     *
     * @param columns as in a table; null where features are given
     * @param features as numbers; null where columns are given
     */
    record NewNode(String id, @Nullable Map<String, @Nullable Object> columns, float @Nullable [] features) {

        private long characters() {
            long values = features == null ? 0 : 4L * features.length;
            if (columns != null) {
                for (Object value : columns.values()) {
                    values += 8 + String.valueOf(value).length();
                }
            }
            return id.length() + values;
        }

        private NewNode of(Set<String> known) {
            if (columns == null) {
                return this;
            }
            Map<String, @Nullable Object> some = new LinkedHashMap<>(columns);
            some.keySet().retainAll(known);
            return new NewNode(id, some, features);
        }
    }

    /** Scores again some of the nodes that what was kept has touched. */
    record Settle() implements Change {}

    /** Another share of ordinary nodes that may be flagged. */
    record Decide(double alpha) implements Change {}

    /**
     * What a person says of a node.
     *
     * @param verdict {@code ordinary} or {@code strange}; null for neither
     * @param remove whether the decision is taken away
     * @param expected version that the person has seen; null where that does not matter
     */
    record Judge(
            String id,
            @Nullable String verdict,
            @Nullable String label,
            @Nullable String note,
            String by,
            boolean remove,
            @Nullable Long expected)
            implements Change {}

    /** Takes the last action of a person back. */
    record Undo(String by) implements Change {}

    /** Does again what the person has taken back last. */
    record Redo(String by) implements Change {}

    /**
     * Another detector.
     *
     * @param name what people call it; null where nobody has named it
     * @param file under which it lies in the store
     * @param atStart whether the service was started with it; otherwise somebody has sent it
     */
    record Load(@Nullable String name, String file, boolean atStart) implements Change {}

    /**
     * A change and its circumstances.
     *
     * @param at when
     * @param key by which the client tells a repetition; null where it does not
     * @param hash of what the client sent with that key
     */
    record Entry(String at, @Nullable String key, @Nullable String hash, Change change) {}
}
