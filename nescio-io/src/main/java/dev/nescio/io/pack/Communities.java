// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.graph.BlockGraph;
import dev.nescio.random.Seed;
import java.util.ArrayList;
import java.util.List;

/**
 * An order in which nodes follow those that they are linked with. Nodes take the label of most of their neighbours, sweep by sweep; a
 * large community must have the more of them, so that none becomes larger than {@link #LIMIT}. Then communities that are linked most
 * become groups, and groups larger ones ({@link Groups}). Members of a group follow each other, on every level. Links are streamed once
 * per sweep; only some numbers per node are in memory. The same graph always has the same order.
 *
 * <p>Raghavan, Albert, Kumara: Near linear time algorithm to detect community structures in large-scale networks, 2007. The price of a
 * size is that of Traag, Van Dooren, Nesterov: Narrow scope for resolution-limit-free community detection, 2011; groups are ours.
 */
public final class Communities {

    /** Nodes of a community; few blocks are smaller. */
    private static final int LIMIT = 1 << 12;
    /** By how much groups may be larger than what they are made of. */
    private static final int GROWTH = 4;
    /** Nodes of the smallest groups, where communities are smaller still. */
    private static final int SMALLEST = 1 << 6;
    /** Nodes of the largest groups; few blocks are larger. */
    private static final int LARGEST = 1 << 18;

    private static final int SWEEPS = 10;
    /** A sweep that moves a smaller share of the nodes is the last one. */
    private static final double FEW = 0.01;

    private final BlockGraph graph;
    private final int[] labels;
    private final int[] sizes;
    /** Of labels, for the node at hand; 0 between two nodes. */
    private final int[] votes;

    private Communities(BlockGraph graph) {
        int nodes = graph.nodes();
        this.graph = graph;
        this.labels = new int[nodes];
        this.sizes = new int[nodes];
        this.votes = new int[nodes];
        for (int v = 0; v < nodes; v++) {
            labels[v] = v;
            sizes[v] = 1;
        }
    }

    /** The new number of every node. */
    public static int[] places(BlockGraph graph) {
        Communities communities = new Communities(graph);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            if (communities.sweep(sweep) < FEW * graph.nodes()) {
                break;
            }
        }
        int[] unit = communities.labels;
        int units = numbered(unit, communities.votes);
        return places(unit, levels(graph, unit, units));
    }

    private int sweep(int sweep) {
        int moved = 0;
        for (int from = 0; from < graph.nodes(); from += PackWriter.PIECE) {
            int count = Math.min(PackWriter.PIECE, graph.nodes() - from);
            BlockGraph.Links links = graph.links(from, count);
            for (int i = 0; i < count; i++) {
                int label = best(from + i, links, i, sweep);
                if (label != labels[from + i]) {
                    sizes[labels[from + i]]--;
                    sizes[label]++;
                    labels[from + i] = label;
                    moved++;
                }
            }
        }
        return moved;
    }

    /** The label that most neighbours have, less what its size costs; chance decides among equals. */
    private int best(int node, BlockGraph.Links links, int row, int sweep) {
        int begin = links.pointers()[row];
        int end = links.pointers()[row + 1];
        for (int e = begin; e < end; e++) {
            votes[labels[links.neighbours()[e]]]++;
        }
        int own = labels[node];
        int best = own;
        long most = worth(own, end - begin);
        long chance = Seed.mix(((long) node << 32 | own) + sweep * Seed.GOLDEN);
        for (int e = begin; e < end; e++) {
            int label = labels[links.neighbours()[e]];
            long worth = worth(label, end - begin);
            if (label != best && worth >= most && (label == own || sizes[label] < LIMIT)) {
                long drawn = Seed.mix(((long) node << 32 | label) + sweep * Seed.GOLDEN);
                if (worth > most || drawn < chance) {
                    best = label;
                    most = worth;
                    chance = drawn;
                }
            }
        }
        for (int e = begin; e < end; e++) {
            votes[labels[links.neighbours()[e]]] = 0;
        }
        return best;
    }

    /** A full community needs all links of a node, a small one none: many are worth the same, and chance keeps labels on the move. */
    private long worth(int label, long links) {
        return votes[label] - links * sizes[label] / LIMIT;
    }

    /**
     * Numbers labels from 0 on, in the order in which they come.
     *
     * @param scratch as long as there are labels; zeros
     */
    static int numbered(int[] labels, int[] scratch) {
        int count = 0;
        for (int v = 0; v < labels.length; v++) {
            if (scratch[labels[v]] == 0) {
                scratch[labels[v]] = ++count;
            }
            labels[v] = scratch[labels[v]] - 1;
        }
        return count;
    }

    /** For every level the group of each unit of the level below. */
    private static List<int[]> levels(BlockGraph graph, int[] unit, int units) {
        List<int[]> levels = new ArrayList<>();
        int[] group = unit.clone();
        int groups = units;
        for (int limit = SMALLEST; limit <= LARGEST; limit *= GROWTH) {
            if (graph.nodes() / groups > limit / 2) {
                continue;
            }
            int[] next = Groups.of(graph, group, groups, limit);
            groups = numbered(next, new int[groups]);
            for (int v = 0; v < group.length; v++) {
                group[v] = next[group[v]];
            }
            levels.add(next);
        }
        return levels;
    }

    /** From the top: members of the first group come first, and so on down to the nodes. */
    private static int[] places(int[] unit, List<int[]> levels) {
        int[] places = {};
        for (int level = levels.size() - 1; level >= 0; level--) {
            places = sorted(levels.get(level), places);
        }
        return sorted(unit, places);
    }

    /**
     * The places of members when they are sorted by their groups.
     *
     * @param places of the groups; empty where they are at their numbers
     */
    private static int[] sorted(int[] group, int[] places) {
        int[] begin = new int[group.length + 1];
        for (int g : group) {
            begin[(places.length == 0 ? g : places[g]) + 1]++;
        }
        for (int g = 0; g < group.length; g++) {
            begin[g + 1] += begin[g];
        }
        int[] result = new int[group.length];
        for (int i = 0; i < group.length; i++) {
            result[i] = begin[places.length == 0 ? group[i] : places[group[i]]]++;
        }
        return result;
    }
}
