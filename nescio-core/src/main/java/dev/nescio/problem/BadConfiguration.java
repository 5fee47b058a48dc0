// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** An option has a value that is not possible, alone or with these data. */
public final class BadConfiguration extends NescioException {

    public BadConfiguration(String message) {
        super(message);
    }

    public BadConfiguration(String message, Throwable cause) {
        super(message, cause);
    }
}
