// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Surroundings;
import dev.nescio.random.Rng;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Draws some neighbours of some nodes, some of theirs, and so on: what a batch of training hears. A node draws its neighbours once,
 * without repeats, and hears the same ones in all rounds. Not thread-safe.
 */
public final class NeighbourSampler {

    private final Surroundings graph;
    private final int rounds;
    private final List<Integer> most;
    /** For every node its place among the nodes of the batch at hand, -1 for others. */
    private final int[] place;
    /** Nodes that the hop at hand is the first to hear. */
    private final BitSet fresh;
    /** Room for the neighbours of one node. */
    private int[] row = new int[64];

    /** @param most neighbours that nodes draw, hop by hop from the targets on; the last number counts for all further hops, none is all */
    public NeighbourSampler(Surroundings graph, int rounds, List<Integer> most) {
        this.graph = graph;
        this.rounds = rounds;
        this.most = List.copyOf(most);
        this.place = new int[graph.edges().nodes()];
        this.fresh = new BitSet(place.length);
        Arrays.fill(place, -1);
    }

    /** Messages to some nodes from those that were drawn. With all neighbours it is {@link MessageFlow#to}. */
    public MessageFlow draw(NodeSet targets, Rng rng) {
        int[] counts = new int[rounds + 1];
        Ints order = new Ints(targets.toArray());
        counts[rounds] = order.size;
        for (int i = 0; i < order.size; i++) {
            place[order.values[i]] = i;
        }
        Ints pointers = new Ints(new int[] {0});
        Ints drawn = new Ints(new int[0]);
        int begin = 0;
        for (int hop = 0; hop < rounds; hop++) {
            int end = order.size;
            for (int i = begin; i < end; i++) {
                draw(order.values[i], hop, rng, drawn);
                pointers.add(drawn.size);
            }
            for (int node = fresh.nextSetBit(0); node >= 0; node = fresh.nextSetBit(node + 1)) {
                place[node] = order.size;
                order.add(node);
            }
            fresh.clear();
            counts[rounds - 1 - hop] = order.size;
            begin = end;
        }
        int[] nodes = order.toArray();
        Neighbourhood[] neighbourhoods = neighbourhoods(nodes, counts, pointers.values, drawn);
        for (int node : nodes) {
            place[node] = -1;
        }
        return MessageFlow.of(graph.features().apply(nodes), counts, neighbourhoods);
    }

    private void draw(int node, int hop, Rng rng, Ints drawn) {
        int all = graph.edges().degree(node);
        if (row.length < all) {
            row = new int[Math.max(all, 2 * row.length)];
        }
        graph.edges().copyRow(node, row, 0);
        int wanted = most.isEmpty() ? all : Math.min(all, most.get(Math.min(hop, most.size() - 1)));
        if (wanted < all) {
            for (int i = 0; i < wanted; i++) {
                int other = i + rng.nextInt(all - i);
                int swapped = row[i];
                row[i] = row[other];
                row[other] = swapped;
            }
        }
        for (int i = 0; i < wanted; i++) {
            if (place[row[i]] < 0) {
                fresh.set(row[i]);
            }
            drawn.add(row[i]);
        }
    }

    /** A later round has the first targets, sources and edges of the one before it. */
    private Neighbourhood[] neighbourhoods(int[] nodes, int[] counts, int[] pointers, Ints drawn) {
        int[] sources = new int[drawn.size];
        for (int e = 0; e < sources.length; e++) {
            sources[e] = place[drawn.values[e]];
        }
        int[] degrees = new int[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            degrees[i] = graph.edges().degree(nodes[i]);
        }
        Neighbourhood[] neighbourhoods = new Neighbourhood[rounds];
        for (int round = 1; round <= rounds; round++) {
            int targets = counts[round];
            neighbourhoods[round - 1] = new Neighbourhood(
                    targets,
                    Arrays.copyOf(pointers, targets + 1),
                    Arrays.copyOf(sources, pointers[targets]),
                    Arrays.copyOf(degrees, counts[round - 1]));
        }
        return neighbourhoods;
    }

    /** Numbers of which it is not known before how many there will be. */
    private static final class Ints {

        private int[] values;
        private int size;

        Ints(int[] first) {
            this.values = first;
            this.size = first.length;
        }

        void add(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size + 16);
            }
            values[size++] = value;
        }

        int[] toArray() {
            return Arrays.copyOf(values, size);
        }
    }
}
