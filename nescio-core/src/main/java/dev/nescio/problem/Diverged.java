// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/** A training whose loss is not a number any more: another setting may do better. */
public final class Diverged extends EngineFailure {

    /** A failure whose message names the epoch, the loss and what may help. */
    public Diverged(String message) {
        super(message);
    }
}
