/**
 * Graphs in npz files. Start with {@link dev.nescio.io.graph.GraphFile}.
 */
@NullMarked
package dev.nescio.io.graph;

import org.jspecify.annotations.NullMarked;
