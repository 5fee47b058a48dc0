// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

/** Who hears from whom, node by node: all that a pass towards some nodes asks of a graph. */
public interface Neighbours {

    /** The number of nodes, those without edges among them. */
    int nodes();

    /** The number of neighbours that send to a node. */
    int degree(int node);

    /**
     * Writes the neighbours that send to a node, ascending, to {@code into[at]} and behind it, where there must be room for
     * {@link #degree} of them.
     */
    void copyRow(int node, int[] into, int at);

    /** The neighbours that send to a node, ascending; a copy. */
    default int[] row(int node) {
        int[] row = new int[degree(node)];
        copyRow(node, row, 0);
        return row;
    }
}
