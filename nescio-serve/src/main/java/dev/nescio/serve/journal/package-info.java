// SPDX-License-Identifier: Apache-2.0
/** What was acknowledged, on disk: {@link dev.nescio.serve.journal.Journal}. */
@NullMarked
package dev.nescio.serve.journal;

import org.jspecify.annotations.NullMarked;
