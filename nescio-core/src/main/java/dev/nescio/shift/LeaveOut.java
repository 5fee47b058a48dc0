// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import dev.nescio.graph.Graph;

/** Some classes are hidden from training: their test nodes are to be found. */
final class LeaveOut implements Shift {

    @Override
    public String name() {
        return "leave-out";
    }

    @Override
    public String meaning() {
        return "classes that training did not see";
    }

    @Override
    public boolean leavesOut() {
        return true;
    }

    @Override
    public Shifted apply(Setting setting) {
        Graph raw = setting.raw();
        return new Shifted(
                setting.preprocessing().apply(raw),
                setting.split().test().filter(v -> setting.leftOut().contains(raw.label(v))));
    }

    @Override
    public String toString() {
        return name();
    }
}
