// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.Neighbours;
import dev.nescio.graph.NodeSet;
import java.util.Arrays;
import java.util.function.IntFunction;

/** The surroundings of some targets: nodes in the order of their distance from them, and the neighbourhoods of every round. */
final class Towards implements IntFunction<Neighbourhood> {

    private final Neighbours edges;
    private final int[] order;
    private final int[] counts;
    private final Places places;

    private Towards(Neighbours edges, int[] order, int[] counts, Places places) {
        this.edges = edges;
        this.order = order;
        this.counts = counts;
        this.places = places;
    }

    static Towards of(NodeSet targets, Neighbours edges, int layers) {
        Places places = Places.of(edges.nodes(), targets.size());
        int[] order = targets.toArray();
        int placed = order.length;
        for (int i = 0; i < placed; i++) {
            places.put(order[i], i);
        }
        int[] counts = new int[layers + 1];
        counts[layers] = placed;
        int[] row = new int[16];
        for (int l = layers - 1; l >= 0; l--) {
            int from = l + 2 > layers ? 0 : counts[l + 2];
            for (int i = from; i < counts[l + 1]; i++) {
                int degree = edges.degree(order[i]);
                row = degree > row.length ? new int[2 * degree] : row;
                edges.copyRow(order[i], row, 0);
                for (int e = 0; e < degree; e++) {
                    if (places.of(row[e]) < 0) {
                        order = placed < order.length ? order : Arrays.copyOf(order, 2 * placed + 16);
                        places.put(row[e], placed);
                        order[placed++] = row[e];
                    }
                }
            }
            Arrays.sort(order, counts[l + 1], placed);
            for (int i = counts[l + 1]; i < placed; i++) {
                places.put(order[i], i);
            }
            counts[l] = placed;
        }
        return new Towards(edges, Arrays.copyOf(order, placed), counts, places);
    }

    /** Nodes by their distance from the targets. */
    int[] order() {
        return order;
    }

    /** How many nodes the output of each layer has. */
    int[] counts() {
        return counts;
    }

    /** Whether the targets are all nodes. */
    boolean isWhole() {
        return counts[counts.length - 1] == edges.nodes();
    }

    @Override
    public Neighbourhood apply(int layer) {
        int rows = counts[layer];
        int[] pointers = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            pointers[i + 1] = Math.addExact(pointers[i], edges.degree(order[i]));
        }
        int[] sources = new int[pointers[rows]];
        for (int i = 0; i < rows; i++) {
            edges.copyRow(order[i], sources, pointers[i]);
        }
        for (int e = 0; e < sources.length; e++) {
            sources[e] = places.of(sources[e]);
        }
        int[] degrees = new int[counts[layer - 1]];
        for (int i = 0; i < degrees.length; i++) {
            degrees[i] = edges.degree(order[i]);
        }
        return new Neighbourhood(rows, pointers, sources, degrees);
    }
}
