// SPDX-License-Identifier: Apache-2.0
/** Studies whose groups run on a cluster. Start with {@link dev.nescio.spark.study.SparkStudy}. */
@NullMarked
package dev.nescio.spark.study;

import org.jspecify.annotations.NullMarked;
