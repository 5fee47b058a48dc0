/**
 * Graphs with features, labels, node ids and splits. Start with {@link dev.nescio.graph.Graph}; build one with
 * {@link dev.nescio.graph.Graph#builder}, look at it with {@link dev.nescio.graph.Homophily}, make one with
 * {@code dev.nescio.graph.generate}. Everything here is immutable and plain Java.
 */
@NullMarked
package dev.nescio.graph;

import org.jspecify.annotations.NullMarked;
