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
public record Surroundings(String name, int width, Neighbours edges, Function<int[], Matrix> features) {}
