// SPDX-License-Identifier: Apache-2.0
/**
 * What the service knows: {@link dev.nescio.serve.state.State} is immutable, readers keep the one that they have begun with, and
 * {@link dev.nescio.serve.state.Store} alone makes the next one, change by change.
 */
@NullMarked
package dev.nescio.serve.state;

import org.jspecify.annotations.NullMarked;
