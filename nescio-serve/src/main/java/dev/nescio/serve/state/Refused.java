// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

/** A request that is answered with a status and one sentence. */
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;

    /** @param status of HTTP, 400 or more */
    public Refused(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }
}
