// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** An immutable set of node numbers, ascending. */
public final class NodeSet {

    private final BitSet members;
    private final int[] nodes;

    private NodeSet(BitSet members) {
        this.members = members;
        this.nodes = members.stream().toArray();
    }

    /**
     * The set of these nodes, given in any order; repeats count once. A negative number throws {@link IndexOutOfBoundsException}.
     */
    public static NodeSet of(int... nodes) {
        BitSet members = new BitSet();
        for (int node : nodes) {
            members.set(node);
        }
        return new NodeSet(members);
    }

    /** The nodes whose entry in a mask is true; the mask has one entry per node. */
    public static NodeSet ofMask(boolean[] mask) {
        return where(mask.length, i -> mask[i]);
    }

    /** All nodes from 0 to {@code nodes - 1}. */
    public static NodeSet all(int nodes) {
        return where(nodes, i -> true);
    }

    /**
     * Those of the nodes from 0 to {@code nodes - 1} that fulfil a condition.
     *
     * <pre>{@code
     * NodeSet labelled = NodeSet.where(graph.nodes(), node -> graph.label(node) >= 0);
     * NodeSet two = NodeSet.of(17, 4);
     * }</pre>
     */
    public static NodeSet where(int nodes, IntPredicate member) {
        BitSet members = new BitSet(nodes);
        for (int i = 0; i < nodes; i++) {
            members.set(i, member.test(i));
        }
        return new NodeSet(members);
    }

    /** The number of nodes in the set. */
    public int size() {
        return nodes.length;
    }

    /** Whether no node is in the set. */
    public boolean isEmpty() {
        return nodes.length == 0;
    }

    /** Whether a node is in the set, in constant time. A negative number throws {@link IndexOutOfBoundsException}. */
    public boolean contains(int node) {
        return members.get(node);
    }

    /** The largest member plus one; 0 for the empty set. */
    public int bound() {
        return members.length();
    }

    /** Whether both sets share at least one node. */
    public boolean intersects(NodeSet other) {
        return members.intersects(other.members);
    }

    /** A new set of those members that fulfil a condition. */
    public NodeSet filter(IntPredicate keep) {
        return of(stream().filter(keep).toArray());
    }

    /** Of each of so many nodes the place in this set, counted from 0; -1 for those that are not in it. */
    public int[] places(int nodes) {
        int[] places = new int[nodes];
        int next = 0;
        for (int v = 0; v < nodes; v++) {
            places[v] = contains(v) ? next++ : -1;
        }
        return places;
    }

    /** The node numbers, ascending. */
    public IntStream stream() {
        return Arrays.stream(nodes);
    }

    /** The node numbers, ascending; a copy that may be changed. */
    public int[] toArray() {
        return nodes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeSet set && members.equals(set.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return nodes.length + " nodes";
    }
}
