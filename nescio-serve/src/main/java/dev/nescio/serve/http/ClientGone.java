// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

/** A client has gone, or reads too slowly, before its answer was complete: nobody is left to tell. */
final class ClientGone extends RuntimeException {

    private static final long serialVersionUID = 1;

    ClientGone(Throwable cause) {
        super(cause);
    }
}
