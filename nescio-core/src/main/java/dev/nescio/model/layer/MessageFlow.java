// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.SparseOperator;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A graph in native memory, prepared for messages that run through a number of layers to some target nodes. Nothing is
 * approximated: layer l computes just the nodes that a target can hear of in the layers after it.
 *
 * <p>Nodes are put in the order of their distance from the targets, so that the nodes of a layer are always the first
 * rows of the layer before: the target nodes first, in ascending order, then their neighbours, and so on.
 */
public final class MessageFlow implements AutoCloseable {

    private final Arena arena = new Arena();
    private final int[] order;
    private final int[] counts;
    private final FeatureTensor features;
    private final Adjacency adjacency;
    private final int[] position;
    private final Map<String, Object> made = new HashMap<>();

    private MessageFlow(Graph graph, int[] order, int[] counts) {
        this.order = order;
        this.counts = counts;
        this.adjacency = graph.adjacency();
        this.position = new int[order.length];
        for (int i = 0; i < counts[0]; i++) {
            position[order[i]] = i;
        }
        boolean unchanged = isIdentity(order);
        this.features = FeatureTensor.of(
                unchanged ? graph.features() : graph.features().select(Arrays.copyOf(order, counts[0])), arena);
    }

    /** Messages to some nodes. */
    public static MessageFlow to(NodeSet targets, Graph graph, int layers) {
        Adjacency adjacency = graph.adjacency();
        int[] order = new int[graph.nodes()];
        boolean[] placed = new boolean[graph.nodes()];
        int[] counts = new int[layers + 1];
        int placedCount = 0;
        for (int node : targets.toArray()) {
            order[placedCount++] = node;
            placed[node] = true;
        }
        counts[layers] = placedCount;
        for (int l = layers - 1; l >= 0; l--) {
            int from = l + 2 > layers ? 0 : counts[l + 2];
            for (int i = from; i < counts[l + 1]; i++) {
                for (int e = adjacency.pointers()[order[i]]; e < adjacency.pointers()[order[i] + 1]; e++) {
                    int neighbour = adjacency.neighbours()[e];
                    if (!placed[neighbour]) {
                        placed[neighbour] = true;
                        order[placedCount++] = neighbour;
                    }
                }
            }
            Arrays.sort(order, counts[l + 1], placedCount);
            counts[l] = placedCount;
        }
        return new MessageFlow(graph, order, counts);
    }

    /** Messages to all nodes. */
    public static MessageFlow toAll(Graph graph, int layers) {
        int[] counts = new int[layers + 1];
        Arrays.fill(counts, graph.nodes());
        return new MessageFlow(graph, IntStream.range(0, graph.nodes()).toArray(), counts);
    }

    /** Features of the nodes that layer 0 computes. */
    public FeatureTensor features() {
        return features;
    }

    /** How many nodes the output of layer l has; l = 0 is the input block. */
    public int nodes(int layer) {
        return counts[layer];
    }

    /** Whether every node is a neighbour of its own. */
    public enum Loops {
        WITH,
        WITHOUT
    }

    /**
     * The neighbourhood sum of layer l = 1..L with symmetric normalisation, {@code sum over u in N(v) of x_u / sqrt(d_u
     * d_v)}: [nodes(l - 1), d] to [nodes(l), d]. With loops, N(v) has v itself and degrees count it.
     */
    public SparseOperator normalisedSum(int layer, Loops loops) {
        return once("sum " + loops + " " + firstLike(layer), () -> SparseOperator.of(structure(layer, loops), arena));
    }

    /** The edges of layer l = 1..L, from nodes(l - 1) to nodes(l); the loop of a node is its first edge. */
    public Edges edges(int layer, Loops loops) {
        return once("edges " + loops + " " + firstLike(layer), () -> Edges.of(structure(layer, loops), arena));
    }

    /** {@code 1 / sqrt(d_u d_v)} of each edge of a layer: [edges]. */
    public Tensor edgeNorms(int layer, Loops loops) {
        return once("norms " + loops + " " + firstLike(layer), () -> {
            float[] values = structure(layer, loops).values();
            return Scope.run(() -> arena.own(Tensor.of(values, values.length)));
        });
    }

    /** Something that is made when it is first asked for, by any thread, and then kept as long as the flow. */
    @SuppressWarnings("unchecked")
    public synchronized <T> T once(String name, Supplier<T> make) {
        T known = (T) made.get(name);
        if (known == null) {
            known = make.get();
            made.put(name, known);
        }
        return known;
    }

    /** Owner of what lives as long as the flow. */
    public Arena arena() {
        return arena;
    }

    /** The first layer with the same nodes before and behind it. */
    private int firstLike(int layer) {
        int first = layer;
        while (first > 1 && counts[first - 2] == counts[layer - 1] && counts[first - 1] == counts[layer]) {
            first--;
        }
        return first;
    }

    private SparseMatrix structure(int layer, Loops loops) {
        int loop = loops == Loops.WITH ? 1 : 0;
        int rows = counts[layer];
        int[] pointers = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            pointers[i + 1] = pointers[i] + adjacency.degree(order[i]) + loop;
        }
        int[] columns = new int[pointers[rows]];
        float[] values = new float[pointers[rows]];
        for (int i = 0; i < rows; i++) {
            int v = order[i];
            int next = pointers[i];
            double own = Math.sqrt(adjacency.degree(v) + loop);
            if (loops == Loops.WITH) {
                columns[next] = i;
                values[next++] = (float) (1 / (own * own));
            }
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                int u = adjacency.neighbours()[e];
                columns[next] = position[u];
                // A node that hears nobody may still be heard, where edges have directions.
                values[next++] = (float) (1 / (own * Math.sqrt(Math.max(1, adjacency.degree(u) + loop))));
            }
        }
        return SparseMatrix.of(counts[layer - 1], pointers, columns, values);
    }

    private static boolean isIdentity(int[] order) {
        return IntStream.range(0, order.length).allMatch(i -> order[i] == i);
    }

    @Override
    public void close() {
        arena.close();
    }
}
