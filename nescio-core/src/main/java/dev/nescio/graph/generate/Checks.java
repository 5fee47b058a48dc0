// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.generate;

import dev.nescio.problem.BadConfiguration;

/** Limits that several generators share. */
final class Checks {

    private static final int MOST_CLASSES = 10_000;
    private static final int LARGEST = 1 << 30;

    private Checks() {}

    static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new BadConfiguration(name + " must lie between 0 and 1, got " + value);
        }
    }

    static void classes(int classes) {
        if (classes < 1 || classes > MOST_CLASSES) {
            throw new BadConfiguration("classes must lie between 1 and " + MOST_CLASSES + ", got " + classes);
        }
    }

    /** What fits into one array. */
    static void size(int nodes, int perNode) {
        if ((long) nodes * perNode > LARGEST) {
            throw new BadConfiguration(
                    nodes + " nodes with " + perNode + " numbers each are more than the limit of " + LARGEST);
        }
    }
}
