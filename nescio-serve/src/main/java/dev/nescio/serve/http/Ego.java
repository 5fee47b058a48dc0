// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.graph.Overlay;
import dev.nescio.serve.state.Deadline;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is around a node.
 *
 * @param hops of the nodes that are drawn, how far each of them is from the centre
 * @param edges between them, each pair once
 * @param omitted how many neighbours are not drawn
 */
record Ego(int centre, Map<Integer, Integer> hops, List<List<String>> edges, int omitted) {

    /** At most {@code limit} nodes within so many hops. */
    static Ego of(Overlay overlay, int centre, int hops, int limit, Deadline deadline) {
        Map<Integer, Integer> hop = new LinkedHashMap<>();
        BitSet drawn = new BitSet();
        hop.put(centre, 0);
        drawn.set(centre);
        BitSet omitted = new BitSet();
        List<Integer> front = List.of(centre);
        for (int h = 1; h <= hops; h++) {
            List<Integer> next = new ArrayList<>();
            for (int node : front) {
                deadline.check();
                for (int neighbour : overlay.row(node)) {
                    if (drawn.get(neighbour)) {
                        continue;
                    }
                    if (hop.size() >= limit) {
                        omitted.set(neighbour);
                    } else {
                        hop.put(neighbour, h);
                        drawn.set(neighbour);
                        next.add(neighbour);
                    }
                }
            }
            front = next;
        }
        return new Ego(centre, hop, edges(overlay, hop, drawn, deadline), omitted.cardinality());
    }

    private static List<List<String>> edges(
            Overlay overlay, Map<Integer, Integer> hop, BitSet drawn, Deadline deadline) {
        List<List<String>> edges = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (int node : hop.keySet()) {
            deadline.check();
            for (int neighbour : overlay.row(node)) {
                if (drawn.get(neighbour) && seen.add(pair(node, neighbour))) {
                    edges.add(List.of(overlay.id(neighbour), overlay.id(node)));
                }
            }
        }
        return edges;
    }

    private static long pair(int a, int b) {
        return ((long) Math.min(a, b) << Integer.SIZE) | Math.max(a, b);
    }
}
