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

    public static NodeSet of(int... nodes) {
        BitSet members = new BitSet();
        for (int node : nodes) {
            members.set(node);
        }
        return new NodeSet(members);
    }

    public static NodeSet ofMask(boolean[] mask) {
        return where(mask.length, i -> mask[i]);
    }

    public static NodeSet all(int nodes) {
        return where(nodes, i -> true);
    }

    public static NodeSet where(int nodes, IntPredicate member) {
        BitSet members = new BitSet(nodes);
        for (int i = 0; i < nodes; i++) {
            members.set(i, member.test(i));
        }
        return new NodeSet(members);
    }

    public int size() {
        return nodes.length;
    }

    public boolean isEmpty() {
        return nodes.length == 0;
    }

    public boolean contains(int node) {
        return members.get(node);
    }

    /** The largest member plus one; 0 for the empty set. */
    public int bound() {
        return members.length();
    }

    public boolean intersects(NodeSet other) {
        return members.intersects(other.members);
    }

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

    public IntStream stream() {
        return Arrays.stream(nodes);
    }

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
