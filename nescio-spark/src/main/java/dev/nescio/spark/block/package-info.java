// SPDX-License-Identifier: Apache-2.0
/**
 * Passes over a graph whose nodes lie in blocks on many machines. A block is a partition; what its nodes must hear from others is planned
 * once, and every round of messages is one shuffle. What travels are records, which Kryo cannot write by itself: those that choose it get
 * the serialization of Java for them. Start with {@link dev.nescio.spark.block.BlockPlans} and {@link
 * dev.nescio.spark.block.BlockRounds}.
 */
@NullMarked
package dev.nescio.spark.block;

import org.jspecify.annotations.NullMarked;
