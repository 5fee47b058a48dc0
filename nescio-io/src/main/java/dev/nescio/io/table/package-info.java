/**
 * Graphs from tables: CSV, Parquet, GraphML, and the folders of DGL and OGB. Start with {@link dev.nescio.io.graph.TableGraph}.
 */
@NullMarked
package dev.nescio.io.table;

import org.jspecify.annotations.NullMarked;
