// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import java.util.Set;

/** What is strange about the nodes that uncertainty is to find. */
public interface Shift {

    /** What files and command lines call it. */
    String name();

    /** What is strange, in a few words. */
    String meaning();

    /** Whether training must not see some classes. */
    default boolean leavesOut() {
        return false;
    }

    /** What a trained network is shown. */
    Shifted apply(Setting setting);

    /**
     * What a shift is applied to.
     *
     * @param raw the graph before its features are prepared
     * @param leftOut classes that training did not see; empty where it saw all
     * @param seed of everything random
     */
    record Setting(Graph raw, Preprocessing preprocessing, Split split, Set<Integer> leftOut, long seed) {}

    /**
     * What a trained network is shown, and what it is to find.
     *
     * @param prepared graph with prepared features
     * @param strange test nodes that uncertainty is to find
     */
    record Shifted(Graph prepared, NodeSet strange) {}
}
