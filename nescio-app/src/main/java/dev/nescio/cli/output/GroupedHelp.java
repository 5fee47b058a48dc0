// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** Options in the help under headings: the ones of the command itself first, then what it shares with others. */
public final class GroupedHelp {

    /** What most users look for comes first. */
    private static final List<String> ORDER =
            List.of("", "Model", "Training", "Uncertainty", "Decisions", "Detector", "Features", "Tables", "General");

    private GroupedHelp() {}

    /** @param heading of an option; empty for those of the command itself */
    public static String options(Help help, Function<OptionSpec, String> heading) {
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        ORDER.forEach(title -> groups.put(title, new ArrayList<>()));
        for (OptionSpec option : help.commandSpec().options()) {
            if (!option.hidden()) {
                groups.computeIfAbsent(heading.apply(option), h -> new ArrayList<>())
                        .add(option);
            }
        }
        StringBuilder text = new StringBuilder();
        groups.forEach((title, options) -> {
            if (!options.isEmpty()) {
                text.append(title.isEmpty() ? "" : String.format("%n%s:%n", title))
                        .append(help.optionListExcludingGroups(options));
            }
        });
        return text.toString();
    }
}
