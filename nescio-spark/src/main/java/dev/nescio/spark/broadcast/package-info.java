// SPDX-License-Identifier: Apache-2.0
/** What every machine needs a copy of. */
@NullMarked
package dev.nescio.spark.broadcast;

import org.jspecify.annotations.NullMarked;
