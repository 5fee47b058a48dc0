// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.journal;

/** Something could not be written to the store, as on a full disk; what was written before stays as it is. */
public final class StoreProblem extends RuntimeException {

    private static final long serialVersionUID = 1;

    StoreProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
