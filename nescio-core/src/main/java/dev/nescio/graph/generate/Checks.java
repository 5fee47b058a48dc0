package dev.nescio.graph.generate;

import dev.nescio.problem.BadConfiguration;

/** Limits that several generators share. */
final class Checks {

    private Checks() {}

    static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new BadConfiguration(name + " must lie between 0 and 1, got " + value);
        }
    }
}
