// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** The numerical engine failed: out of memory, no such device, or a mistake of ours. */
public sealed class EngineFailure extends NescioException permits Diverged {

    public EngineFailure(String message) {
        super(message);
    }

    public EngineFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
