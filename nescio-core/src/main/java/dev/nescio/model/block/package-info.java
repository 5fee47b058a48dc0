// SPDX-License-Identifier: Apache-2.0
/**
 * Passes over graphs that do not fit into memory: stage by stage, and each stage block by block. What nodes hold between two stages lies
 * in files. Start with {@link dev.nescio.model.block.BlockPass}.
 */
@NullMarked
package dev.nescio.model.block;

import org.jspecify.annotations.NullMarked;
