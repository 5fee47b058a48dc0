// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.DetectorFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.SplitChoice;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.option.OptionGroup;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.study.Tuning;
import dev.nescio.tensor.Engine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio tune}. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        description = {
            "Find the settings of a model that perform best on the validation nodes.",
            "The setting with the highest mean accuracy over the splits wins; of settings within one standard error of it, the one with"
                    + " the lowest validation loss."
        },
        footer = {
            "",
            "Every finished training run is one line in FILE.trials; if killed, tuning resumes where it stopped.",
            "FILE itself is written at the end: options for 'train' and 'evaluate', which take it as @FILE.",
            "",
            "Examples:",
            "  nescio tune builtin:blocks --model gprgnn --splits 0-1 --widths 16 --epochs 100 --out gprgnn.args",
            "  nescio tune builtin:blocks --model gprgnn --splits 0-1 --widths 16 --try hops=2,10 --epochs 100 --out gprgnn.args",
            "  nescio train builtin:blocks @gprgnn.args --out model"
        })
public final class TuneCommand implements Callable<Integer> {

    @Parameters(paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    String source;

    @Option(
            names = "--splits",
            paramLabel = "NAMES",
            defaultValue = "0-2",
            split = ",",
            description = "Splits by name or range (default ${DEFAULT-VALUE}).")
    List<String> splits;

    @Option(
            names = "--widths",
            paramLabel = "VALUES",
            defaultValue = "64,512",
            description = "Hidden widths to try (default ${DEFAULT-VALUE}).")
    String widths;

    @Option(
            names = "--dropouts",
            paramLabel = "VALUES",
            defaultValue = "0.2,0.5",
            description = "Dropout rates to try (default ${DEFAULT-VALUE}).")
    String dropouts;

    @Option(
            names = "--learning-rates",
            paramLabel = "VALUES",
            defaultValue = "0.01,0.001",
            description = "Learning rates to try (default ${DEFAULT-VALUE}).")
    String rates;

    @Option(
            names = "--weight-decays",
            paramLabel = "VALUES",
            defaultValue = "0,1e-4",
            description = "Weight decays to try (default ${DEFAULT-VALUE}).")
    String decays;

    @Option(
            names = "--try",
            paramLabel = "NAME=VALUES",
            description = "Values to try for any other model or training option; can be given several times.")
    Map<String, String> others = new LinkedHashMap<>();

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Where to write the best options.")
    Path out;

    @Option(names = "--dry-run", description = "Print the number of training runs left, and stop.")
    boolean dryRun;

    @Mixin
    DetectorFlags flags;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.begin();
        AtomicFile.requireReplaceable(out);
        graphs.requireOther(out, source);
        Graph graph = graphs.readLabelled(source, common);
        List<Split> chosen = SplitChoice.all(graph, splits, common::note);
        DetectorOptions base = flags.optionsWithoutHeldOut(graph);
        Map<dev.nescio.option.Option<?>, List<String>> grid = grid(base);
        chosen.forEach(split -> DetectorFlags.view(source, graph, split, base));
        Tuning tuning = new Tuning(graph, chosen, base, grid, Path.of(out + ".trials"));
        if (dryRun) {
            common.print(
                    Map.of("trainings", tuning.trainings(), "left", tuning.left(), "atATime", Engine.threads()),
                    tuning.trainings() + " trainings, " + tuning.left() + " left to do, " + Engine.threads()
                            + " at a time");
            return ExitCode.OK;
        }
        try (ProgressBar bar = common.progress("tuning")) {
            tuning.run((done, total) -> bar.at(done, total, done + " of " + total + " trainings"));
        }
        report(tuning);
        return ExitCode.OK;
    }

    /** Widths change slowest: cheap settings come first. */
    private Map<dev.nescio.option.Option<?>, List<String>> grid(DetectorOptions base) {
        Map<dev.nescio.option.Option<?>, List<String>> grid = new LinkedHashMap<>();
        grid.put(ModelOptions.HIDDEN, sorted(widths));
        grid.put(TrainingOptions.LEARNING_RATE, values(rates));
        grid.put(ModelOptions.DROPOUT, values(dropouts));
        grid.put(TrainingOptions.WEIGHT_DECAY, values(decays));
        OptionGroup known = OptionGroup.union(
                base.architecture().name(), List.of(base.architecture().options(), TrainingOptions.GROUP));
        others.forEach((name, texts) -> grid.put(known.named(name), values(texts)));
        grid.forEach(this::requireOnce);
        return grid;
    }

    /** A value that is given by itself would be overruled. */
    private void requireOnce(dev.nescio.option.Option<?> option, List<String> values) {
        values.forEach(option::parse);
        if (flags.model.given().containsKey(option.name())
                || flags.training.given().containsKey(option.name())
                || flags.model.choices.containsKey(option.name())) {
            throw new BadConfiguration("tune tries several values of " + option + " (" + String.join(", ", values)
                    + "): list your values there instead of giving --" + option);
        }
    }

    private static List<String> values(String texts) {
        return Arrays.stream(texts.split(",")).map(String::strip).toList();
    }

    private static List<String> sorted(String texts) {
        return values(texts).stream()
                .map(ModelOptions.HIDDEN::parse)
                .sorted()
                .map(String::valueOf)
                .toList();
    }

    private void report(Tuning tuning) {
        Tuning.Result result = tuning.result();
        AtomicFile.write(out, tuning.arguments(source, result));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("best", result.best());
        json.put("tied", result.tied());
        json.put("tried", result.ranked());
        common.print(
                json,
                result.ranked().stream().map(Tuning.Tried::text).collect(Collectors.joining("\n"))
                        + String.format(
                                Locale.ROOT,
                                "%n%s contains the best settings (%d tied, lowest loss chosen); test accuracy %.4f, standard deviation"
                                        + " %.4f",
                                out,
                                result.tied(),
                                result.best().testAccuracy().mean(),
                                result.best().testAccuracy().std()));
    }
}
