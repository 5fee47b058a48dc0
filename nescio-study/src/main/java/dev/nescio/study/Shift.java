package dev.nescio.study;

import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is strange about the nodes that uncertainty is to find. */
public enum Shift {
    CLEAN("nothing is strange"),
    LEAVE_OUT("classes that training did not see"),
    NEAR("features that are noise like the data"),
    FAR("features that are noise unlike the data");

    private final String meaning;

    Shift(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }

    /** What files and command lines call it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Shift parse(String text) {
        return Arrays.stream(values())
                .filter(shift -> shift.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("there is no shift '" + text + "'; there are "
                        + Arrays.stream(values()).map(Shift::text).collect(Collectors.joining(", "))));
    }
}
