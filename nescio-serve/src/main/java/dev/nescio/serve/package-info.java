// SPDX-License-Identifier: Apache-2.0
/**
 * The service {@code nescio serve}: {@link dev.nescio.serve.Service} starts it, with {@link dev.nescio.serve.ServeOptions}. Handlers
 * of requests lie in {@code http}, what the service knows in {@code state}, and what survives it in {@code journal}.
 */
@NullMarked
package dev.nescio.serve;

import org.jspecify.annotations.NullMarked;
