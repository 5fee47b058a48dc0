// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.option.Option;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.LinkedHashMap;
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
                "List the estimators of epistemic uncertainty: what they need, their options, and where they come from.",
        footer = {"", "Examples:", "  nescio estimators", "  nescio estimators --json"})
public final class EstimatorsCommand implements Callable<Integer> {

    private static final String INDENT = "\n" + " ".repeat(22);

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.print(
                Estimators.all().stream().map(EstimatorsCommand::row).toList(),
                Estimators.all().stream().map(EstimatorsCommand::text).collect(Collectors.joining("\n")));
        return ExitCode.OK;
    }

    private static String text(Estimator estimator) {
        Estimator.About about = estimator.about();
        String options = estimator.options().options().stream()
                .map(EstimatorsCommand::defaultOf)
                .collect(Collectors.joining(", "));
        return String.format("%-21s %s", about.name(), about.summary()) + INDENT + "needs " + about.input()
                + (options.isEmpty() ? "" : INDENT + "options " + options) + INDENT + about.paper();
    }

    private static <T> String defaultOf(Option<T> option) {
        return option.name() + "=" + option.print(option.standard());
    }

    private static Map<String, Object> row(Estimator estimator) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", estimator.name());
        row.put("summary", estimator.about().summary());
        row.put("needs", estimator.about().input());
        row.put("predictsItself", estimator.predictsItself());
        row.put("options", estimator.options().defaults().texts());
        row.put("paper", estimator.about().paper());
        return row;
    }
}
