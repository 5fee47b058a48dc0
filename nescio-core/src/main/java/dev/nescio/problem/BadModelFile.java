// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** A saved model or detector is damaged, foreign or from a newer version. */
public final class BadModelFile extends NescioException {

    public BadModelFile(String message) {
        super(message);
    }

    public BadModelFile(String message, Throwable cause) {
        super(message, cause);
    }
}
