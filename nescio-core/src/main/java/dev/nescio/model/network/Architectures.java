// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The registry of architectures. */
public final class Architectures {

    private static final List<Architecture> ALL = List.of(
            new ResGcn(),
            new ResGatSep(),
            new ResGate(),
            new Gcn(),
            new Sage(),
            new GatV2(),
            new GprGnn(),
            new Fagcn(),
            new Fsgnn(),
            new Gpn(),
            new Sgcn(),
            new Bgcn());

    /** What others are made with. */
    private static final List<Architecture> INTERNAL = List.of(new Sgcn.Teacher());

    private Architectures() {}

    /** All architectures that can be chosen, in the order of the help; {@code res-gcn}, the default, comes first. */
    public static List<Architecture> all() {
        return ALL;
    }

    /** How many numbers a network has to learn. */
    public static long parameters(Architecture architecture, Architecture.Shape shape, ModelOptions options) {
        try (Weights weights = Weights.drawn(new Seed(0))) {
            architecture.network(weights, shape, options);
            return weights.parameters().values().stream()
                    .mapToLong(tensor ->
                            Arrays.stream(tensor.shape()).asLongStream().reduce(1, (a, b) -> a * b))
                    .sum();
        }
    }

    /** The architecture of this name; refuses others, with a hint at similar names. */
    public static Architecture named(String name) {
        return Stream.concat(ALL.stream(), INTERNAL.stream())
                .filter(a -> a.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("there is no model '" + name + "'; "
                        + Nearest.hint(
                                name, ALL.stream().map(Architecture::name).toList())));
    }
}
