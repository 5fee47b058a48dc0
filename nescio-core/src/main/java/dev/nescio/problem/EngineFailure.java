// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** The numerical engine failed: out of memory, no such device, or a mistake of ours. */
public sealed class EngineFailure extends NescioException permits Diverged {

    /** A failure whose message says what the engine could not do. */
    public EngineFailure(String message) {
        super(message);
    }

    /** The same, where an exception of the engine led to it. */
    public EngineFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
