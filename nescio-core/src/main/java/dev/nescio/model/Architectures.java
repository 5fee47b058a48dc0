package dev.nescio.model;

import dev.nescio.problem.BadConfiguration;
import java.util.List;
import java.util.stream.Collectors;

/** The registry of architectures. */
public final class Architectures {

    private static final List<Architecture> ALL = List.of(new ResGcn());

    private Architectures() {}

    public static Architecture named(String name) {
        return ALL.stream()
                .filter(a -> a.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("there is no model '" + name + "'; there is "
                        + ALL.stream().map(Architecture::name).collect(Collectors.joining(", "))));
    }
}
