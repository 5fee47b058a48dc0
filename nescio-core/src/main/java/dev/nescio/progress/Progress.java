// SPDX-License-Identifier: Apache-2.0
package dev.nescio.progress;

/** Is told how far a long computation has come, by any of its threads. */
@FunctionalInterface
public interface Progress {

    /** Listens to nothing. */
    Progress NONE = (done, total) -> {};

    /**
     * Tells that {@code done} of {@code total} are done: nodes, bytes or whatever is counted. Calls of several threads may
     * overlap. May throw {@code Cancelled} to end the computation.
     */
    void at(long done, long total);
}
