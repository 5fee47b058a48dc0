// SPDX-License-Identifier: Apache-2.0
/**
 * Graphs in one compressed file that is read by blocks of nodes, for graphs that do not fit into memory. Start with {@link
 * dev.nescio.io.pack.PackedGraph}.
 */
@NullMarked
package dev.nescio.io.pack;

import org.jspecify.annotations.NullMarked;
