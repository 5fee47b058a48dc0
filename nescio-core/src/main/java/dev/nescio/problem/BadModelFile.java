// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** A saved model or detector is damaged, foreign or from a newer version. */
public final class BadModelFile extends NescioException {

    /** A refusal whose message names the file and what is wrong with it. */
    public BadModelFile(String message) {
        super(message);
    }

    /** The same, where another exception led to it. */
    public BadModelFile(String message, Throwable cause) {
        super(message, cause);
    }
}
