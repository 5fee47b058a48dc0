// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Surroundings;
import dev.nescio.random.Rng;
import java.util.Arrays;
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

    /** @param most neighbours that nodes draw, hop by hop from the targets on; the last number counts for all further hops, none is all */
    public NeighbourSampler(Surroundings graph, int rounds, List<Integer> most) {
        this.graph = graph;
        this.rounds = rounds;
        this.most = List.copyOf(most);
        this.place = new int[graph.edges().nodes()];
        Arrays.fill(place, -1);
    }

    /** Messages to some nodes from those that were drawn. With all neighbours it is {@link MessageFlow#to}. */
    public MessageFlow draw(NodeSet targets, Rng rng) {
        int[] order = targets.toArray();
        int size = order.length;
        int[] counts = new int[rounds + 1];
        int[][] drawn = new int[size][];
        counts[rounds] = size;
        for (int i = 0; i < size; i++) {
            place[order[i]] = i;
        }
        int begin = 0;
        for (int hop = 0; hop < rounds; hop++) {
            int end = size;
            drawn = Arrays.copyOf(drawn, Math.max(drawn.length, end));
            for (int i = begin; i < end; i++) {
                drawn[i] = some(order[i], hop, rng);
                for (int neighbour : drawn[i]) {
                    if (place[neighbour] < 0) {
                        order = size == order.length ? Arrays.copyOf(order, 2 * size + 16) : order;
                        order[size] = neighbour;
                        place[neighbour] = size++;
                    }
                }
            }
            Arrays.sort(order, end, size);
            for (int i = end; i < size; i++) {
                place[order[i]] = i;
            }
            counts[rounds - 1 - hop] = size;
            begin = end;
        }
        order = Arrays.copyOf(order, size);
        Neighbourhood[] neighbourhoods = new Neighbourhood[rounds];
        for (int round = 1; round <= rounds; round++) {
            neighbourhoods[round - 1] = neighbourhood(order, drawn, counts[round], counts[round - 1]);
        }
        for (int node : order) {
            place[node] = -1;
        }
        return MessageFlow.of(graph.features().apply(order), counts, neighbourhoods);
    }

    private int[] some(int node, int hop, Rng rng) {
        int[] all = graph.edges().row(node);
        int wanted = most.isEmpty() ? all.length : most.get(Math.min(hop, most.size() - 1));
        if (all.length <= wanted) {
            return all;
        }
        for (int i = 0; i < wanted; i++) {
            int other = i + rng.nextInt(all.length - i);
            int swapped = all[i];
            all[i] = all[other];
            all[other] = swapped;
        }
        int[] some = Arrays.copyOf(all, wanted);
        Arrays.sort(some);
        return some;
    }

    private Neighbourhood neighbourhood(int[] order, int[][] drawn, int targets, int sources) {
        int[] pointers = new int[targets + 1];
        for (int i = 0; i < targets; i++) {
            pointers[i + 1] = pointers[i] + drawn[i].length;
        }
        int[] from = new int[pointers[targets]];
        for (int i = 0; i < targets; i++) {
            for (int e = 0; e < drawn[i].length; e++) {
                from[pointers[i] + e] = place[drawn[i][e]];
            }
        }
        int[] degrees = new int[sources];
        for (int i = 0; i < sources; i++) {
            degrees[i] = graph.edges().degree(order[i]);
        }
        return new Neighbourhood(targets, pointers, from, degrees);
    }
}
