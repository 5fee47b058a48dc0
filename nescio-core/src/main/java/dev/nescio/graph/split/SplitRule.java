// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;

/** A way to draw splits at random; written {@code NAME:SEED}. */
public interface SplitRule {

    /** What users call it. */
    String name();

    /** What it does, in one line. */
    String summary();

    /** A split of the labelled nodes; its name is {@code NAME:SEED}. */
    Split draw(Graph graph, int seed);
}
