// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.graph.BlockGraph;
import java.util.Arrays;

/**
 * Joins parts of a graph with the part that most of their links lead to, those with the most such links per node first, as long as a group does not
 * become too large. Of the links of a part only the four most frequent ends are counted, so that memory does not depend on the links
 * (Misra, Gries: Finding repeated elements, 1982).
 */
final class Groups {

    private static final int COUNTED = 4;

    private final int[] part;
    private final int[] size;
    private final int[] root;
    /** Of every part the parts that many of its links lead to, and how many. */
    private final int[] ends;

    private final int[] counts;

    private Groups(int[] part, int parts) {
        this.part = part;
        this.size = new int[parts];
        this.root = new int[parts];
        this.ends = new int[Math.multiplyExact(COUNTED, parts)];
        this.counts = new int[ends.length];
        for (int p : part) {
            size[p]++;
        }
        Arrays.setAll(root, p -> p);
    }

    /**
     * The group of every part, by one of its parts.
     *
     * @param part of every node
     * @param limit nodes of a group that is made here
     */
    static int[] of(BlockGraph graph, int[] part, int parts, int limit) {
        Groups groups = new Groups(part, parts);
        groups.count(graph);
        groups.join(limit);
        for (int p = 0; p < parts; p++) {
            groups.root[p] = groups.find(p);
        }
        return groups.root;
    }

    private void count(BlockGraph graph) {
        for (int from = 0; from < graph.nodes(); from += PackWriter.PIECE) {
            int nodes = Math.min(PackWriter.PIECE, graph.nodes() - from);
            BlockGraph.Links links = graph.links(from, nodes);
            for (int i = 0; i < nodes; i++) {
                for (int e = links.pointers()[i]; e < links.pointers()[i + 1]; e++) {
                    int end = part[links.neighbours()[e]];
                    if (end != part[from + i]) {
                        vote(part[from + i] * COUNTED, end);
                    }
                }
            }
        }
    }

    private void vote(int begin, int end) {
        int free = -1;
        for (int c = begin; c < begin + COUNTED; c++) {
            if (counts[c] > 0 && ends[c] == end) {
                counts[c]++;
                return;
            }
            free = counts[c] == 0 ? c : free;
        }
        if (free >= 0) {
            ends[free] = end;
            counts[free] = 1;
            return;
        }
        for (int c = begin; c < begin + COUNTED; c++) {
            counts[c]--;
        }
    }

    private void join(int limit) {
        long[] byWeight = new long[counts.length];
        int pairs = 0;
        for (int c = 0; c < counts.length; c++) {
            if (counts[c] > 0) {
                float perNode = counts[c] / (float) size[c / COUNTED];
                byWeight[pairs++] = (long) -Float.floatToIntBits(perNode) << 32 | c;
            }
        }
        Arrays.sort(byWeight, 0, pairs);
        for (int i = 0; i < pairs; i++) {
            int c = (int) byWeight[i];
            int a = find(c / COUNTED);
            int b = find(ends[c]);
            if (a != b && (long) size[a] + size[b] <= limit) {
                root[Math.max(a, b)] = Math.min(a, b);
                size[Math.min(a, b)] += size[Math.max(a, b)];
            }
        }
    }

    private int find(int p) {
        int at = p;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }
}
