// SPDX-License-Identifier: Apache-2.0
/** Datasets as the tables that Nescio reads from files. */
@NullMarked
package dev.nescio.spark.table;

import org.jspecify.annotations.NullMarked;
