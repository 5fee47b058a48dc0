// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.tensor.Arena;
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
    private final boolean isWhole;
    private final int[] position;
    private final Map<Integer, Round> rounds = new HashMap<>();
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
        this.isWhole = unchanged && counts[counts.length - 1] == order.length;
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

    /** The messages of round l = 1..L, from nodes(l - 1) to nodes(l). */
    public synchronized Round round(int layer) {
        return rounds.computeIfAbsent(firstLike(layer), l -> new Round(neighbourhood(l), arena));
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

    private Neighbourhood neighbourhood(int layer) {
        if (isWhole) {
            return Neighbourhood.of(adjacency);
        }
        int rows = counts[layer];
        int[] pointers = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            pointers[i + 1] = pointers[i] + adjacency.degree(order[i]);
        }
        int[] sources = new int[pointers[rows]];
        for (int i = 0; i < rows; i++) {
            int next = pointers[i];
            for (int e = adjacency.pointers()[order[i]]; e < adjacency.pointers()[order[i] + 1]; e++) {
                sources[next++] = position[adjacency.neighbours()[e]];
            }
        }
        int[] degrees = new int[counts[layer - 1]];
        for (int i = 0; i < degrees.length; i++) {
            degrees[i] = adjacency.degree(order[i]);
        }
        return new Neighbourhood(rows, pointers, sources, degrees);
    }

    private static boolean isIdentity(int[] order) {
        return IntStream.range(0, order.length).allMatch(i -> order[i] == i);
    }

    @Override
    public void close() {
        arena.close();
    }
}
