// SPDX-License-Identifier: Apache-2.0
/**
 * Nescio on Apache Spark: graphs, studies and embeddings that outgrow one machine. Start with {@link
 * dev.nescio.spark.SparkScoring}.
 */
@NullMarked
package dev.nescio.spark;

import org.jspecify.annotations.NullMarked;
