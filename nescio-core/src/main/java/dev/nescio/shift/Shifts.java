// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import dev.nescio.option.Nearest;
import dev.nescio.problem.BadConfiguration;
import java.util.List;

/** The registry of shifts. */
public final class Shifts {

    /** {@code clean}: the graph as it is, with nothing to find. */
    public static final Shift CLEAN = new Clean();
    /** {@code leave-out}: the strange nodes are test nodes of classes that training did not see. */
    public static final Shift LEAVE_OUT = new LeaveOut();
    /** {@code near}: a tenth of the nodes have features that are noise like the data, see {@link FeatureNoise.Kind#NEAR}. */
    public static final Shift NEAR = new Noise(FeatureNoise.Kind.NEAR, "near", "features that are noise like the data");
    /** {@code far}: a tenth of the nodes have features that are noise unlike the data, see {@link FeatureNoise.Kind#FAR}. */
    public static final Shift FAR = new Noise(FeatureNoise.Kind.FAR, "far", "features that are noise unlike the data");

    private static final List<Shift> ALL = List.of(CLEAN, LEAVE_OUT, NEAR, FAR);

    private Shifts() {}

    /** All shifts, {@link #CLEAN} first. */
    public static List<Shift> all() {
        return ALL;
    }

    /** The shift of this name; refuses others, with a hint at similar names. */
    public static Shift named(String name) {
        List<String> names = ALL.stream().map(Shift::name).toList();
        return ALL.stream()
                .filter(shift -> shift.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new BadConfiguration("there is no shift '" + name + "'; " + Nearest.hint(name, names)));
    }
}
