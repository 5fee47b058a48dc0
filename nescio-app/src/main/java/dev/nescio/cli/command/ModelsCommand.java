// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.PreprocessingFlags;
import dev.nescio.cli.flag.SplitChoice;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.EpochTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio models}. */
@Command(
        name = "models",
        mixinStandardHelpOptions = true,
        description = "List the models: cost, source, when to use them, and their options.",
        footer = {
            "",
            "Parameters are counted and epochs are timed on GRAPH, with the defaults of 'nescio train'.",
            "",
            "Examples:",
            "  nescio models",
            "  nescio models graph.npz --hidden 512",
            "  nescio train builtin:blocks --model gprgnn --choose hops=5,alpha=0.2 --out model",
            "  nescio models --json"
        })
public final class ModelsCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "GRAPH",
            arity = "0..1",
            defaultValue = "builtin:blocks",
            description = "An npz file, builtin:NAME or data:NAME (default ${DEFAULT-VALUE}).")
    String source;

    @Option(
            names = "--hidden",
            paramLabel = "N",
            description = "Width of the hidden states (default ${DEFAULT-VALUE}).")
    int hidden = ModelOptions.HIDDEN.standard();

    @Mixin
    PreprocessingFlags graphOptions;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    /** An architecture on this graph. */
    private record Row(
            String name,
            String summary,
            String paper,
            long parameters,
            int states,
            double millisecondsPerEpoch,
            Map<String, String> options,
            List<String> help) {

        String text() {
            String indent = "\n" + " ".repeat(13);
            return String.format(Locale.ROOT, "%-13s%s", name, summary)
                    + indent
                    + String.format(
                            Locale.ROOT,
                            "%,d parameters, %d hidden states, %.1f ms per epoch",
                            parameters,
                            states,
                            millisecondsPerEpoch)
                    + indent
                    + paper
                    + help.stream().map(line -> indent + line).collect(Collectors.joining());
        }
    }

    @Override
    public Integer call() {
        common.begin();
        Graph graph = graphOptions.preprocessing().apply(graphs.read(source, common));
        Split split = SplitChoice.of(graph, "0", common::note);
        List<Row> rows = new ArrayList<>();
        try (ProgressBar bar = common.progress("timing")) {
            for (Architecture architecture : Architectures.all()) {
                bar.at(rows.size(), Architectures.all().size(), architecture.name());
                rows.add(row(architecture, graph, split));
            }
        }
        common.print(rows, rows.stream().map(Row::text).collect(Collectors.joining("\n")));
        return ExitCode.OK;
    }

    private Row row(Architecture architecture, Graph graph, Split split) {
        ModelOptions options =
                ModelOptions.defaults().with(ModelOptions.HIDDEN, hidden).in(architecture.options());
        architecture.require(options);
        Architecture.Shape shape = new Architecture.Shape(
                graph.features().columns(), graph.classes().size());
        return new Row(
                architecture.name(),
                architecture.about().summary(),
                architecture.about().paper(),
                Architectures.parameters(architecture, shape, options),
                architecture.states(options),
                1e3 * EpochTime.seconds(architecture, options, graph, split),
                options.values().texts(),
                architecture.about().own().stream().map(ModelsCommand::help).toList());
    }

    private static <T> String help(dev.nescio.option.Option<T> option) {
        return "--choose " + option.name() + "=" + option.print(option.standard()) + ": " + option.help();
    }
}
