// SPDX-License-Identifier: Apache-2.0
/** What every machine needs a copy of, and how the tasks of a process share it. */
@NullMarked
package dev.nescio.spark.broadcast;

import org.jspecify.annotations.NullMarked;
