// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** An option has a value that is not possible, alone or with these data. */
public final class BadConfiguration extends NescioException {

    /** A refusal whose message names the option, its value and what would be possible. */
    public BadConfiguration(String message) {
        super(message);
    }

    /** The same, where another exception led to it. */
    public BadConfiguration(String message, Throwable cause) {
        super(message, cause);
    }
}
