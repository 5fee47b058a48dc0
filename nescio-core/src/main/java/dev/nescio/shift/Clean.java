// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import dev.nescio.graph.NodeSet;

/** The graph as it is: there is nothing to find. */
final class Clean implements Shift {

    @Override
    public String name() {
        return "clean";
    }

    @Override
    public String meaning() {
        return "nothing is strange";
    }

    @Override
    public Shifted apply(Setting setting) {
        return new Shifted(setting.preprocessing().apply(setting.raw()), NodeSet.of());
    }

    @Override
    public String toString() {
        return name();
    }
}
