// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** The data are not what they claim or need to be: a file, a graph, a matrix. */
public final class BadInput extends NescioException {

    public BadInput(String message) {
        super(message);
    }

    public BadInput(String message, Throwable cause) {
        super(message, cause);
    }
}
