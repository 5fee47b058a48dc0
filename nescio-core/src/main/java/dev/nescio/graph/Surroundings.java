// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.Matrix;
import java.util.function.Function;

/**
 * What a network asks of a graph to say something about a few of its nodes: a row of it at a time, never all of it.
 *
 * @param name what messages call the graph
 * @param width how many features a node has
 * @param edges who hears from whom
 * @param features of some nodes, in the order that they are asked for, prepared for the network
 */
public record Surroundings(String name, int width, Neighbours edges, Function<int[], Matrix> features) {

    /** All of a graph that is in memory, whose features are prepared. */
    public static Surroundings of(Graph graph) {
        return new Surroundings(graph.name(), graph.features().columns(), graph.adjacency(), some -> graph.features()
                .select(some));
    }
}
