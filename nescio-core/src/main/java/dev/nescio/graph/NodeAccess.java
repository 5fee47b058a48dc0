// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.Matrix;
import java.util.Arrays;

/** Single nodes of a graph in any order: their neighbours and features. */
public interface NodeAccess {

    /** The number of nodes. */
    int nodes();

    /** How many neighbours a node has. */
    int degree(int node);

    /** The neighbours of a node by their numbers, ascending; the caller may change the array. */
    int[] neighbours(int node);

    /** The features of some nodes, in this order. */
    Matrix features(int[] nodes);

    /** A graph that is in memory. */
    static NodeAccess of(Graph graph) {
        Adjacency adjacency = graph.adjacency();
        return new NodeAccess() {
            @Override
            public int nodes() {
                return graph.nodes();
            }

            @Override
            public int degree(int node) {
                return adjacency.degree(node);
            }

            @Override
            public int[] neighbours(int node) {
                return Arrays.copyOfRange(
                        adjacency.neighbours(),
                        adjacency.pointers()[node],
                        adjacency.pointers()[node + 1]);
            }

            @Override
            public Matrix features(int[] nodes) {
                return graph.features().select(nodes);
            }
        };
    }
}
