// SPDX-License-Identifier: Apache-2.0
/** Nescio in a Pipeline of Spark ML. Start with {@link dev.nescio.spark.ml.JointDensity}. */
@NullMarked
package dev.nescio.spark.ml;

import org.jspecify.annotations.NullMarked;
