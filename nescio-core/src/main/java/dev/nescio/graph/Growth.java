// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * New nodes and edges for a graph: what arrived since it was read. Old nodes keep their numbers, new ones follow.
 *
 * <pre>{@code
 * Graph today = new Growth(graph).node("u77", features).edge("u77", "u12").build();
 * }</pre>
 */
public final class Growth {

    private final Graph graph;
    private final Overlay overlay;
    private final boolean directed;
    private final List<String> ids = new ArrayList<>();
    private final List<float[]> features = new ArrayList<>();
    private final List<String[]> edges = new ArrayList<>();

    /** Begins with nothing new. Edges go both ways unless the graph came from tables that were read as directed. */
    public Growth(Graph graph) {
        this(graph, isDirected(graph));
    }

    private static boolean isDirected(Graph graph) {
        return graph.schema() != null && graph.schema().directed();
    }

    /** @param directed whether new edges send from the first node to the second only */
    public Growth(Graph graph, boolean directed) {
        this(Overlay.on(graph), directed);
    }

    /** Begins with nothing new on a graph to which something may have been added before; see {@link #Growth(Graph)}. */
    public Growth(Overlay overlay) {
        this(overlay, isDirected(overlay.base()));
    }

    private Growth(Overlay overlay, boolean directed) {
        this.graph = overlay.base();
        this.overlay = overlay;
        this.directed = directed;
    }

    /**
     * A node by its features, scaled as those of the graph are; refuses another number of them. The array is kept, not copied.
     * {@link #build} refuses an id that is in use.
     */
    public Growth node(String id, float... nodeFeatures) {
        if (nodeFeatures.length != graph.features().columns()) {
            throw new BadInput("node '" + id + "' has " + nodeFeatures.length + " features, but the nodes of "
                    + graph.name() + " have " + graph.features().columns());
        }
        ids.add(id);
        features.add(nodeFeatures);
        return this;
    }

    /**
     * A node by its columns, where the graph came from tables: {@code Map.of("age", 31, "country", "CH")}. What is missing is filled
     * as in a table.
     */
    public Growth node(String id, Map<String, ?> row) {
        TableSchema schema = graph.schema();
        if (schema == null) {
            throw new BadConfiguration(
                    graph.name() + " did not come from tables: give the features of node '" + id + "' as numbers");
        }
        try {
            return node(id, schema.features(row));
        } catch (BadInput e) {
            throw new BadInput("node '" + id + "': " + e.getMessage(), e);
        }
    }

    /**
     * An edge between two nodes, old or new, by their ids; {@link #build} refuses ids that do not exist.
     *
     * <pre>{@code
     * Growth growth = new Growth(graph).node("u77", 0.5f, 1f).edge("u77", "u12");
     * Scores scores = detector.score(growth.build(), growth.nodes());
     * }</pre>
     */
    public Growth edge(String from, String to) {
        edges.add(new String[] {from, to});
        return this;
    }

    /** The numbers that the new nodes have in the grown graph. */
    public NodeSet nodes() {
        return NodeSet.of(
                IntStream.range(overlay.nodes(), overlay.nodes() + ids.size()).toArray());
    }

    /** The grown graph: a copy of the old one and what is new; the splits stay those of the old nodes. */
    public Graph build() {
        return overlay().toGraph();
    }

    /** The grown graph without a copy, at the cost of what is new; refuses what {@link #build} refuses. */
    public Overlay overlay() {
        return overlay.plus(ids, features, edges, directed);
    }
}
