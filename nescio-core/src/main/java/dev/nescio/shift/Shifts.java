// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import dev.nescio.option.Nearest;
import dev.nescio.problem.BadConfiguration;
import java.util.List;

/** The registry of shifts. */
public final class Shifts {

    public static final Shift CLEAN = new Clean();
    public static final Shift LEAVE_OUT = new LeaveOut();
    public static final Shift NEAR = new Noise(FeatureNoise.Kind.NEAR, "near", "features that are noise like the data");
    public static final Shift FAR = new Noise(FeatureNoise.Kind.FAR, "far", "features that are noise unlike the data");

    private static final List<Shift> ALL = List.of(CLEAN, LEAVE_OUT, NEAR, FAR);

    private Shifts() {}

    public static List<Shift> all() {
        return ALL;
    }

    public static Shift named(String name) {
        List<String> names = ALL.stream().map(Shift::name).toList();
        return ALL.stream()
                .filter(shift -> shift.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new BadConfiguration("there is no shift '" + name + "'; " + Nearest.hint(name, names)));
    }
}
