// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import org.jspecify.annotations.Nullable;

/**
 * What a person has decided about a node.
 *
 * @param verdict {@code ordinary} or {@code strange}; null for neither
 * @param version number of the action that made it
 */
public record Review(
        String id,
        @Nullable String verdict,
        @Nullable String label,
        @Nullable String note,
        String by,
        String at,
        long version) {

    /** Whether there is a verdict or a label; a note alone leaves a node open. */
    public boolean decides() {
        return verdict != null || label != null;
    }

    /** The same as the outcome of a later action. */
    Review as(long newVersion) {
        return new Review(id, verdict, label, note, by, at, newVersion);
    }

    /**
     * One step of the history.
     *
     * @param kind {@code review}, {@code undo} or {@code redo}
     */
    public record Action(
            long number,
            String at,
            String by,
            String id,
            @Nullable Review before,
            @Nullable Review after,
            String kind) {}
}
