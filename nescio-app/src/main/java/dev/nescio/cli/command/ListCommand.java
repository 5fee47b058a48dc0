// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.Registries;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadConfiguration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nescio list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "List what is available: models, estimators, graphs, tables, scores, splits, shifts, measures.",
        footer = {"", "Examples:", "  nescio list", "  nescio list splits"})
public final class ListCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "KIND", description = "What to list (default: everything).")
    @Nullable
    String kind;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        Map<String, List<Registries.Entry>> all = Registries.all();
        Map<String, List<Registries.Entry>> chosen = new LinkedHashMap<>(all);
        if (kind != null) {
            if (!all.containsKey(kind)) {
                throw new BadConfiguration("there is no list '" + kind + "'; " + Nearest.hint(kind, all.keySet()));
            }
            chosen.keySet().retainAll(List.of(kind));
        }
        common.print(
                chosen,
                chosen.entrySet().stream()
                        .map(list -> list.getKey() + "\n"
                                + list.getValue().stream()
                                        .map(entry -> String.format("  %-28s %s", entry.name(), entry.summary()))
                                        .collect(Collectors.joining("\n")))
                        .collect(Collectors.joining("\n\n")));
        return ExitCode.OK;
    }
}
