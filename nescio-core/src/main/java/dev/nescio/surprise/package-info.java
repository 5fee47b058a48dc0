// SPDX-License-Identifier: Apache-2.0
/**
 * How surprising nodes of a graph without labels are: by their features, by their place in the graph, and by how they fit their
 * surroundings and their edges. Start with {@link dev.nescio.surprise.Surprises}.
 */
@NullMarked
package dev.nescio.surprise;

import org.jspecify.annotations.NullMarked;
