// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.graph.Adjacency;
import java.util.Arrays;

/** How many triangles each node is part of. Directions of edges do not matter. */
final class Triangles {

    private Triangles() {}

    /**
     * Every edge is looked at from the end with fewer neighbours, so that hubs cost little: at most the number of edges to the power
     * of 1.5.
     */
    static long[] of(Adjacency graph) {
        int nodes = graph.nodes();
        int[] begins = new int[nodes + 1];
        int[] ends = upwards(graph, begins);
        long[] counts = new long[nodes];
        int[] markedBy = new int[nodes];
        Arrays.fill(markedBy, -1);
        for (int u = 0; u < nodes; u++) {
            for (int e = begins[u]; e < begins[u + 1]; e++) {
                markedBy[ends[e]] = u;
            }
            for (int e = begins[u]; e < begins[u + 1]; e++) {
                int v = ends[e];
                for (int f = begins[v]; f < begins[v + 1]; f++) {
                    int w = ends[f];
                    if (markedBy[w] == u) {
                        counts[u]++;
                        counts[v]++;
                        counts[w]++;
                    }
                }
            }
        }
        return counts;
    }

    /** For every node its neighbours with more neighbours, or as many and a larger number, each once. */
    private static int[] upwards(Adjacency graph, int[] begins) {
        int nodes = graph.nodes();
        int[] sizes = new int[nodes + 1];
        for (int v = 0; v < nodes; v++) {
            for (int e = graph.pointers()[v]; e < graph.pointers()[v + 1]; e++) {
                int u = graph.neighbours()[e];
                if (u != v) {
                    sizes[lower(graph, u, v) + 1]++;
                }
            }
        }
        for (int v = 0; v < nodes; v++) {
            sizes[v + 1] += sizes[v];
        }
        int[] all = new int[sizes[nodes]];
        int[] next = Arrays.copyOf(sizes, nodes);
        for (int v = 0; v < nodes; v++) {
            for (int e = graph.pointers()[v]; e < graph.pointers()[v + 1]; e++) {
                int u = graph.neighbours()[e];
                if (u != v) {
                    int low = lower(graph, u, v);
                    all[next[low]++] = low == u ? v : u;
                }
            }
        }
        int kept = 0;
        for (int v = 0; v < nodes; v++) {
            Arrays.sort(all, sizes[v], sizes[v + 1]);
            begins[v] = kept;
            for (int e = sizes[v]; e < sizes[v + 1]; e++) {
                if (e == sizes[v] || all[e] != all[e - 1]) {
                    all[kept++] = all[e];
                }
            }
        }
        begins[nodes] = kept;
        return Arrays.copyOf(all, kept);
    }

    private static int lower(Adjacency graph, int u, int v) {
        int difference = Integer.compare(graph.degree(u), graph.degree(v));
        return difference < 0 || (difference == 0 && u < v) ? u : v;
    }
}
