// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.problem.BadInput;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Who hears from whom, by compressed rows: the neighbours that send to node v are {@code neighbours[pointers[v] ..
 * pointers[v + 1] - 1]}, ascending, without v itself and without repetition. In an undirected graph every edge appears
 * in both rows.
 *
 * <p>The accessors return the arrays themselves: treat them as read-only.
 */
public final class Adjacency implements Neighbours {

    private final int[] pointers;
    private final int[] neighbours;

    private Adjacency(int[] pointers, int[] neighbours) {
        this.pointers = pointers;
        this.neighbours = neighbours;
    }

    /**
     * What building dropped or added.
     *
     * @param listedBothWays pairs of nodes whose edge was given in both directions
     */
    public record Notes(long selfLoopsDropped, long duplicatesDropped, long listedBothWays, boolean symmetrised) {

        /** Nothing was dropped or added. */
        public static final Notes NONE = new Notes(0, 0, 0, false);

        /** One sentence for people. */
        public String describe() {
            return selfLoopsDropped + " self-loops and " + duplicatesDropped + " duplicate edges dropped, "
                    + listedBothWays + " listed both ways, edges " + (symmetrised ? "symmetrised" : "kept as they are");
        }
    }

    /** An adjacency and what it took to get there. */
    public record Built(Adjacency adjacency, Notes notes) {}

    /** So many nodes without any edge. */
    public static Adjacency empty(int nodes) {
        return new Adjacency(new int[nodes + 1], new int[0]);
    }

    /** Edges in both directions, whatever their order; an edge listed both ways is counted apart from duplicates. */
    public static Built undirected(int nodes, int[] from, int[] to) {
        return build(nodes, from, to, true);
    }

    /** Edges as messages {@code from -> to}. */
    public static Built directed(int nodes, int[] from, int[] to) {
        return build(nodes, from, to, false);
    }

    private static Built build(int nodes, int[] from, int[] to, boolean symmetrise) {
        check(nodes, from, to);
        Built oneWay = compress(nodes, to, from);
        if (!symmetrise) {
            return oneWay;
        }
        int[] receivers = oneWay.adjacency.rowOfEntry();
        int[] senders = oneWay.adjacency.neighbours;
        int[] bothReceivers = concat(receivers, senders);
        int[] bothSenders = concat(senders, receivers);
        Adjacency both = compress(nodes, bothReceivers, bothSenders).adjacency;
        boolean changed = both.neighbours.length != oneWay.adjacency.neighbours.length;
        long pairs = (long) oneWay.adjacency.neighbours.length - both.neighbours.length / 2;
        return new Built(
                both, new Notes(oneWay.notes.selfLoopsDropped, oneWay.notes.duplicatesDropped, pairs, changed));
    }

    /**
     * More nodes behind these, and more edges between any of them, in both directions unless {@code directed}. Costs a copy,
     * not a sort: rows that nothing is added to are taken over as they are.
     */
    public Adjacency grown(int moreNodes, int[] from, int[] to, boolean directed) {
        int nodes = nodes() + moreNodes;
        check(nodes, from, to);
        Adjacency added = (directed ? directed(nodes, from, to) : undirected(nodes, from, to)).adjacency;
        int[] newPointers = new int[nodes + 1];
        int[] newNeighbours = new int[Math.addExact(neighbours.length, added.neighbours.length)];
        int kept = 0;
        for (int v = 0; v < nodes; v++) {
            int old = v < nodes() ? degree(v) : 0;
            if (old > 0) {
                System.arraycopy(neighbours, pointers[v], newNeighbours, kept, old);
            }
            int more = added.degree(v);
            System.arraycopy(added.neighbours, added.pointers[v], newNeighbours, kept + old, more);
            kept = old > 0 && more > 0 ? sortRow(newNeighbours, kept, kept + old + more) : kept + old + more;
            newPointers[v + 1] = kept;
        }
        return new Adjacency(newPointers, Arrays.copyOf(newNeighbours, kept));
    }

    /** A copy of what somebody else knows row by row. */
    static Adjacency of(Neighbours edges) {
        int[] pointers = new int[edges.nodes() + 1];
        for (int v = 0; v < edges.nodes(); v++) {
            pointers[v + 1] = Math.addExact(pointers[v], edges.degree(v));
        }
        int[] neighbours = new int[pointers[edges.nodes()]];
        for (int v = 0; v < edges.nodes(); v++) {
            edges.copyRow(v, neighbours, pointers[v]);
        }
        return new Adjacency(pointers, neighbours);
    }

    /** Who is heard by whom: every edge the other way round. */
    public Adjacency reversed() {
        return compress(nodes(), neighbours, rowOfEntry()).adjacency;
    }

    /** The edges between some nodes, which are numbered anew in their order. */
    public Adjacency among(NodeSet kept) {
        int[] number = kept.places(nodes());
        int[] keptPointers = new int[kept.size() + 1];
        int[] keptNeighbours = new int[edges()];
        int count = 0;
        for (int v : kept.toArray()) {
            for (int e = pointers[v]; e < pointers[v + 1]; e++) {
                if (number[neighbours[e]] >= 0) {
                    keptNeighbours[count++] = number[neighbours[e]];
                }
            }
            keptPointers[number[v] + 1] = count;
        }
        return new Adjacency(keptPointers, Arrays.copyOf(keptNeighbours, count));
    }

    /** The same without what two nodes send to each other. */
    public Adjacency without(int first, int second) {
        int[] newPointers = pointers.clone();
        int[] newNeighbours = new int[neighbours.length];
        int kept = 0;
        int copied = 0;
        int removed = 0;
        int low = Math.min(first, second);
        int high = Math.max(first, second);
        for (int row : low == high ? new int[0] : new int[] {low, high}) {
            int other = row == low ? high : low;
            int at = Arrays.binarySearch(neighbours, pointers[row], pointers[row + 1], other);
            if (at >= 0) {
                System.arraycopy(neighbours, copied, newNeighbours, kept, at - copied);
                kept += at - copied;
                copied = at + 1;
                removed++;
                for (int v = row + 1; v < newPointers.length; v++) {
                    newPointers[v]--;
                }
            }
        }
        System.arraycopy(neighbours, copied, newNeighbours, kept, neighbours.length - copied);
        return removed == 0
                ? this
                : new Adjacency(newPointers, Arrays.copyOf(newNeighbours, neighbours.length - removed));
    }

    /** Sorts a row in place and drops repeats; returns its new end. */
    private static int sortRow(int[] entries, int begin, int end) {
        Arrays.sort(entries, begin, end);
        int kept = begin;
        for (int e = begin; e < end; e++) {
            if (kept == begin || entries[kept - 1] != entries[e]) {
                entries[kept++] = entries[e];
            }
        }
        return kept;
    }

    private static void check(int nodes, int[] from, int[] to) {
        if (from.length != to.length) {
            throw new IllegalArgumentException("got " + from.length + " sources and " + to.length + " targets");
        }
        for (int e = 0; e < from.length; e++) {
            if (from[e] < 0 || from[e] >= nodes || to[e] < 0 || to[e] >= nodes) {
                throw new BadInput("edge " + e + " joins node " + from[e] + " and node " + to[e]
                        + ", but node numbers go from 0 to " + (nodes - 1));
            }
        }
    }

    private static Built compress(int nodes, int[] rows, int[] columns) {
        int[] pointers = new int[nodes + 1];
        int loops = 0;
        for (int e = 0; e < rows.length; e++) {
            if (rows[e] == columns[e]) {
                loops++;
            } else {
                pointers[rows[e] + 1]++;
            }
        }
        for (int i = 0; i < nodes; i++) {
            pointers[i + 1] += pointers[i];
        }
        int[] entries = new int[rows.length - loops];
        int[] next = Arrays.copyOf(pointers, nodes);
        for (int e = 0; e < rows.length; e++) {
            if (rows[e] != columns[e]) {
                entries[next[rows[e]]++] = columns[e];
            }
        }
        int kept = sortAndDropRepeats(pointers, entries);
        Adjacency adjacency = new Adjacency(pointers, Arrays.copyOf(entries, kept));
        return new Built(adjacency, new Notes(loops, entries.length - kept, 0, false));
    }

    private static int sortAndDropRepeats(int[] pointers, int[] entries) {
        int kept = 0;
        int begin = 0;
        for (int row = 0; row + 1 < pointers.length; row++) {
            int end = pointers[row + 1];
            int distinct = sortRow(entries, begin, end) - begin;
            System.arraycopy(entries, begin, entries, kept, distinct);
            kept += distinct;
            pointers[row + 1] = kept;
            begin = end;
        }
        return kept;
    }

    private static int[] concat(int[] a, int[] b) {
        int[] both = Arrays.copyOf(a, Math.addExact(a.length, b.length));
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    @Override
    public int nodes() {
        return pointers.length - 1;
    }

    /** Directed edges: an undirected edge counts twice. */
    public int edges() {
        return neighbours.length;
    }

    /** The number of neighbours that send to a node; in an undirected graph, all of its neighbours. */
    @Override
    public int degree(int node) {
        return pointers[node + 1] - pointers[node];
    }

    @Override
    public void copyRow(int node, int[] into, int at) {
        System.arraycopy(neighbours, pointers[node], into, at, degree(node));
    }

    /** Of all nodes. */
    public int[] degrees() {
        return IntStream.range(0, nodes()).map(this::degree).toArray();
    }

    /**
     * Where the row of each node begins and, as the last entry, the number of directed edges: {@code nodes() + 1} numbers. The
     * array itself, not a copy.
     */
    public int[] pointers() {
        return pointers;
    }

    /** The senders of all rows, row after row; the row of node v begins at {@code pointers()[v]}. The array itself, not a copy. */
    public int[] neighbours() {
        return neighbours;
    }

    /** For every entry, the node whose row it is in. */
    public int[] rowOfEntry() {
        int[] rowOf = new int[neighbours.length];
        for (int v = 0; v < nodes(); v++) {
            Arrays.fill(rowOf, pointers[v], pointers[v + 1], v);
        }
        return rowOf;
    }

    /** Whether every edge goes both ways, so that the graph is undirected; also true without any edge. */
    public boolean isSymmetric() {
        for (int v = 0; v < nodes(); v++) {
            for (int e = pointers[v]; e < pointers[v + 1]; e++) {
                int u = neighbours[e];
                if (Arrays.binarySearch(neighbours, pointers[u], pointers[u + 1], v) < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The number of nodes that neither send nor receive anything. */
    public int isolatedNodes() {
        boolean[] touched = new boolean[nodes()];
        for (int v = 0; v < nodes(); v++) {
            touched[v] |= degree(v) > 0;
        }
        for (int u : neighbours) {
            touched[u] = true;
        }
        int isolated = 0;
        for (boolean t : touched) {
            isolated += t ? 0 : 1;
        }
        return isolated;
    }

    /** Connected components, directions ignored. */
    public int components() {
        int[] parent = new int[nodes()];
        Arrays.setAll(parent, i -> i);
        int components = nodes();
        for (int v = 0; v < nodes(); v++) {
            for (int e = pointers[v]; e < pointers[v + 1]; e++) {
                int a = root(parent, v);
                int b = root(parent, neighbours[e]);
                if (a != b) {
                    parent[a] = b;
                    components--;
                }
            }
        }
        return components;
    }

    private static int root(int[] parent, int node) {
        int at = node;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }
}
