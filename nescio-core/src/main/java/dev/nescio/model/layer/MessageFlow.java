// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.Matrix;
import dev.nescio.tensor.Arena;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
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
    private final int[] counts;
    private final FeatureTensor features;
    private final IntFunction<Neighbourhood> neighbourhoods;
    private final Map<Integer, Round> rounds = new HashMap<>();
    private final Map<String, Object> made = new HashMap<>();

    private MessageFlow(Matrix features, int[] counts, IntFunction<Neighbourhood> neighbourhoods) {
        this.counts = counts;
        this.features = FeatureTensor.of(features, arena);
        this.neighbourhoods = neighbourhoods;
    }

    /** Messages that somebody else has chosen: the neighbourhood of round l is the one at l - 1. */
    static MessageFlow of(Matrix features, int[] counts, Neighbourhood[] neighbourhoods) {
        return new MessageFlow(features, counts, round -> neighbourhoods[round - 1]);
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
        int[] known = Arrays.copyOf(order, placedCount);
        return isIdentity(known) && counts[layers] == graph.nodes()
                ? toAll(graph, layers)
                : new MessageFlow(graph.features().select(known), counts, new Towards(adjacency, known, counts));
    }

    /** Messages to all nodes. */
    public static MessageFlow toAll(Graph graph, int layers) {
        int[] counts = new int[layers + 1];
        Arrays.fill(counts, graph.nodes());
        return new MessageFlow(graph.features(), counts, round -> Neighbourhood.of(graph.adjacency()));
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
        return rounds.computeIfAbsent(firstLike(layer), l -> new Round(neighbourhoods.apply(l), arena));
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

    /** Neighbourhoods of nodes in the order of their distance from some targets. */
    private static final class Towards implements IntFunction<Neighbourhood> {

        private final Adjacency adjacency;
        private final int[] order;
        private final int[] counts;
        private final int[] position;

        Towards(Adjacency adjacency, int[] order, int[] counts) {
            this.adjacency = adjacency;
            this.order = order;
            this.counts = counts;
            this.position = new int[adjacency.nodes()];
            for (int i = 0; i < order.length; i++) {
                position[order[i]] = i;
            }
        }

        @Override
        public Neighbourhood apply(int layer) {
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
    }

    private static boolean isIdentity(int[] order) {
        return IntStream.range(0, order.length).allMatch(i -> order[i] == i);
    }

    @Override
    public void close() {
        arena.close();
    }
}
