/**
 * Graphs made to measure: {@link dev.nescio.graph.generate.Moons}, the paper's synthetic graph, and
 * {@link dev.nescio.graph.generate.BlockModel}, whose homophily can be dialled from 0 to 1.
 * {@link dev.nescio.graph.generate.BuiltinGraphs} knows them by name.
 */
@NullMarked
package dev.nescio.graph.generate;

import org.jspecify.annotations.NullMarked;
