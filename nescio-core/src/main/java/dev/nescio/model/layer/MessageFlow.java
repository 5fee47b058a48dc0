// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Surroundings;
import dev.nescio.matrix.Matrix;
import dev.nescio.tensor.Arena;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

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
        Towards towards = Towards.of(targets, graph.adjacency(), layers);
        return towards.isWhole() ? toAll(graph, layers) : towards(towards, graph.features()::select);
    }

    /** Messages to some nodes of a graph that is looked at row by row. */
    public static MessageFlow to(NodeSet targets, Surroundings graph, int layers) {
        return towards(Towards.of(targets, graph.edges(), layers), graph.features());
    }

    private static MessageFlow towards(Towards towards, Function<int[], Matrix> features) {
        return new MessageFlow(features.apply(towards.order()), towards.counts(), towards);
    }

    /** Messages to all nodes. */
    public static MessageFlow toAll(Graph graph, int layers) {
        int[] counts = new int[layers + 1];
        Arrays.fill(counts, graph.nodes());
        Adjacency adjacency = graph.adjacency();
        return new MessageFlow(graph.features(), counts, round -> Neighbourhood.of(adjacency));
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

    /** How much native memory it takes now. */
    public long bytes() {
        return arena.bytes();
    }

    @Override
    public void close() {
        arena.close();
    }
}
