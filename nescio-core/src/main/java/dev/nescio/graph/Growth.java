// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
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
    private final boolean directed;
    private final List<String> ids = new ArrayList<>();
    private final List<float[]> features = new ArrayList<>();
    private final List<String[]> edges = new ArrayList<>();

    /** Begins with nothing new. Edges go both ways unless the graph came from tables that were read as directed. */
    public Growth(Graph graph) {
        this(graph, graph.schema() != null && graph.schema().directed());
    }

    /** @param directed whether new edges send from the first node to the second only */
    public Growth(Graph graph, boolean directed) {
        this.graph = graph;
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
                IntStream.range(graph.nodes(), graph.nodes() + ids.size()).toArray());
    }

    /** The grown graph; the splits stay those of the old nodes. */
    public Graph build() {
        NodeIds all = graph.ids().followedBy(ids);
        int[] from = edges.stream().mapToInt(edge -> number(all, edge[0])).toArray();
        int[] to = edges.stream().mapToInt(edge -> number(all, edge[1])).toArray();
        int[] labels = Arrays.copyOf(graph.labels(), all.size());
        Arrays.fill(labels, graph.nodes(), all.size(), Graph.UNLABELLED);
        Matrix more = DenseMatrix.of(features.toArray(float[][]::new));
        return graph.with()
                .adjacency(graph.adjacency().grown(ids.size(), from, to, directed))
                .features(ids.isEmpty() ? graph.features() : graph.features().above(more))
                .labels(labels, graph.classes())
                .ids(all)
                .build();
    }

    private static int number(NodeIds ids, String id) {
        return ids.find(id).orElseThrow(() -> new BadInput("an edge names node '" + id + "', which does not exist"));
    }
}
