// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

/** How the nodes of a packed graph follow each other. */
public enum NodeOrder {
    /** As they came. */
    TABLE,
    /** Nodes that are linked with each other are close, so that a block has few neighbours outside of it: {@link Communities}. */
    COMMUNITIES
}
