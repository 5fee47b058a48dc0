// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import java.util.Locale;

/** What a node was to a detector when it was made. */
public enum Role {
    /** The detector learned from its label. It has no p-value: it is not like a node that nobody has learned from. */
    TRAINING,
    /** Its label chose the best epoch. */
    VALIDATION,
    /** It tells what is ordinary. */
    HELD_OUT,
    /** It was in the training graph, with its features and edges; its label was not used. */
    SEEN,
    /** It was not there. */
    NEW;

    /** As tables write it: {@code held-out}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
