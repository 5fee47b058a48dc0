// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** The data are not what they claim or need to be: a file, a graph, a matrix. */
public final class BadInput extends NescioException {

    /** A refusal whose message names the place in the data, what is there and what was expected. */
    public BadInput(String message) {
        super(message);
    }

    /** The same, where another exception led to it. */
    public BadInput(String message, Throwable cause) {
        super(message, cause);
    }
}
