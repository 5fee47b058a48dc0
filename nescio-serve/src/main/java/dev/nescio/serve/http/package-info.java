// SPDX-License-Identifier: Apache-2.0
/** Requests and answers: {@link dev.nescio.serve.http.Api} lists them all. */
@NullMarked
package dev.nescio.serve.http;

import org.jspecify.annotations.NullMarked;
