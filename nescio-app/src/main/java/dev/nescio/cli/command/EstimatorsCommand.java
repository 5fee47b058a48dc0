package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonOptions;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code nescio estimators}. */
@Command(
        name = "estimators",
        mixinStandardHelpOptions = true,
        description =
                "List the estimators of epistemic uncertainty: what they need, where they come from, when to use which.",
        footer = {"", "Examples:", "  nescio estimators", "  nescio estimators --json"})
public final class EstimatorsCommand implements Callable<Integer> {

    @Mixin
    CommonOptions common;

    @Override
    public Integer call() {
        common.print(
                Estimators.all().stream().map(EstimatorsCommand::row).toList(),
                Estimators.all().stream()
                        .map(e -> String.format(
                                "%-21s %s%n%-21s needs %s%n%-21s %s",
                                e.name(), e.summary(), "", e.needs(), "", e.paper()))
                        .collect(Collectors.joining(System.lineSeparator())));
        return ExitCode.OK;
    }

    private static Map<String, String> row(Estimators.Entry entry) {
        Map<String, String> row = new LinkedHashMap<>();
        for (List<String> pair : List.of(
                List.of("name", entry.name()),
                List.of("summary", entry.summary()),
                List.of("needs", entry.needs()),
                List.of("paper", entry.paper()))) {
            row.put(pair.get(0), pair.get(1));
        }
        return row;
    }
}
