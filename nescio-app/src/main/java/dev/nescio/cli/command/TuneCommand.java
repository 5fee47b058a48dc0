package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonOptions;
import dev.nescio.cli.flag.DetectorFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.PreprocessingFlags;
import dev.nescio.cli.flag.SplitChoice;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.metric.Accuracy;
import dev.nescio.metric.Spread;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.Diverged;
import dev.nescio.study.TrialJournal;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.Prediction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio tune}. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        description = "Find the settings of a model that do best on the validation nodes.",
        footer = {
            "",
            "Every training is one line in FILE.trials when it is finished; run again, tuning goes on where it stopped.",
            "FILE itself is written at the end: options for 'train' and 'evaluate', which take it as @FILE.",
            "",
            "Examples:",
            "  nescio tune builtin:blocks --model gprgnn --splits 0-1 --widths 16 --epochs 100 --out gprgnn.args",
            "  nescio train builtin:blocks @gprgnn.args --out model"
        })
public final class TuneCommand implements Callable<Integer> {

    /** Options of 'train' and what stands for them here. */
    private static final Map<String, String> TRIED = Map.of(
            "--hidden", "--widths",
            "--dropout", "--dropouts",
            "--learning-rate", "--learning-rates",
            "--weight-decay", "--weight-decays");

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
            defaultValue = "64,512",
            split = ",",
            description = "To try (default ${DEFAULT-VALUE}).")
    List<Integer> widths;

    @Option(
            names = "--dropouts",
            defaultValue = "0.2,0.5",
            split = ",",
            description = "To try (default ${DEFAULT-VALUE}).")
    List<Double> dropouts;

    @Option(
            names = "--learning-rates",
            defaultValue = "0.01,0.001",
            split = ",",
            description = "To try (default ${DEFAULT-VALUE}).")
    List<Double> rates;

    @Option(
            names = "--weight-decays",
            defaultValue = "0,1e-4",
            split = ",",
            description = "To try (default ${DEFAULT-VALUE}).")
    List<Double> decays;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Where to write the best options.")
    Path out;

    @Option(names = "--dry-run", description = "Say how many trainings there are to do, and stop.")
    boolean dryRun;

    @Mixin
    PreprocessingFlags graphOptions;

    @Mixin
    DetectorFlags flags;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonOptions common;

    /** One point of the grid. */
    private record Setting(int hidden, double dropout, double learningRate, double weightDecay) {

        String text() {
            return "hidden " + hidden + ", dropout " + dropout + ", learning rate " + learningRate + ", weight decay "
                    + weightDecay;
        }
    }

    /** What a setting gave over the splits. Settings are ranked by validation nodes; test nodes choose nothing. */
    private record Tried(Setting setting, Spread validationAccuracy, Spread testAccuracy) {

        static Tried of(Setting setting, List<TrialJournal.Trial> trials) {
            return new Tried(
                    setting,
                    Spread.of(trials.stream().mapToDouble(TrialJournal.Trial::validationAccuracy)),
                    Spread.of(trials.stream().mapToDouble(TrialJournal.Trial::testAccuracy)));
        }

        String text() {
            return String.format(Locale.ROOT, "%.4f  %s", validationAccuracy.mean(), setting.text());
        }
    }

    private record Trial(Setting setting, Split split, DetectorOptions options, String key) {}

    @Override
    public Integer call() {
        common.begin();
        TRIED.forEach(this::requireUnset);
        Graph graph = graphs.read(source, common);
        List<Split> chosen = SplitChoice.all(graph, splits, common::note);
        DetectorOptions base = flags.options(graph, graphOptions.preprocessing());
        chosen.forEach(split -> PreprocessingFlags.requireTrainable(source, graph, split, base));
        TrialJournal journal = new TrialJournal(Path.of(out + ".trials"));
        List<Trial> trials = trials(Fingerprint.of(graph), chosen, base);
        List<Trial> left =
                trials.stream().filter(trial -> !journal.has(trial.key)).toList();
        if (dryRun) {
            common.print(
                    Map.of("trainings", trials.size(), "left", left.size(), "atATime", Engine.threads()),
                    trials.size() + " trainings, " + left.size() + " left to do, " + Engine.threads() + " at a time");
            return ExitCode.OK;
        }
        run(base.preprocessing().apply(graph), left, journal);
        report(base, chosen, trials, journal);
        return ExitCode.OK;
    }

    private void requireUnset(String single, String several) {
        if (common.command.commandLine().getParseResult().hasMatchedOption(single)) {
            throw new BadConfiguration("tune tries several: give " + several + " rather than " + single);
        }
    }

    /** Cheap settings first. */
    private List<Trial> trials(String fingerprint, List<Split> chosen, DetectorOptions base) {
        List<Trial> trials = new ArrayList<>();
        for (Setting setting : grid()) {
            DetectorOptions options = options(base, setting);
            Architectures.named(base.architecture()).require(options.model());
            for (Split split : chosen) {
                String key = String.join(
                        " ",
                        fingerprint,
                        base.preprocessing().toString(),
                        split.name(),
                        base.architecture(),
                        options.model().toString(),
                        options.training().toString());
                trials.add(new Trial(setting, split, options, key));
            }
        }
        return trials;
    }

    private List<Setting> grid() {
        List<Setting> grid = new ArrayList<>();
        for (int width : widths.stream().sorted().toList()) {
            for (double rate : rates) {
                for (double dropout : dropouts) {
                    for (double decay : decays) {
                        grid.add(new Setting(width, dropout, rate, decay));
                    }
                }
            }
        }
        return grid;
    }

    private static DetectorOptions options(DetectorOptions base, Setting setting) {
        ModelOptions model = base.model();
        TrainingOptions training = base.training();
        return base.withModel(new ModelOptions(
                        setting.hidden, model.layers(), setting.dropout, model.multiplier(), model.choices()))
                .withTraining(new TrainingOptions(
                        setting.learningRate,
                        setting.weightDecay,
                        training.epochs(),
                        training.patience(),
                        training.stopping(),
                        training.seed()));
    }

    private void run(Graph graph, List<Trial> left, TrialJournal journal) {
        AtomicInteger done = new AtomicInteger();
        try (ProgressBar bar = common.progress("tuning")) {
            Parallel.sideBySide(left.size(), i -> {
                Trial trial = left.get(i);
                journal.add(trial.key, train(graph, trial));
                bar.at(done.incrementAndGet(), left.size(), done + " of " + left.size() + " trainings");
            });
        }
    }

    /** A training that diverges is worth nothing, but the others go on. */
    private static TrialJournal.Trial train(Graph graph, Trial trial) {
        try {
            Trainer.Result result = new Trainer(
                            Architectures.named(trial.options.architecture()),
                            trial.options.model(),
                            trial.options.training())
                    .train(graph, trial.split, TrainingListener.NONE);
            return new TrialJournal.Trial(
                    result.validationAccuracy(),
                    testAccuracy(result.model(), graph, trial.split),
                    result.epochs(),
                    result.validationLoss());
        } catch (Diverged e) {
            return new TrialJournal.Trial(0, 0, 0, Double.POSITIVE_INFINITY);
        }
    }

    private static double testAccuracy(Model model, Graph graph, Split split) {
        return Accuracy.of(
                Prediction.of(model.logits(graph)).label(),
                graph.labels(),
                split.test().toArray());
    }

    private void report(DetectorOptions base, List<Split> chosen, List<Trial> trials, TrialJournal journal) {
        Map<Setting, List<TrialJournal.Trial>> bySetting = trials.stream()
                .collect(Collectors.groupingBy(
                        Trial::setting,
                        LinkedHashMap::new,
                        Collectors.mapping(trial -> journal.get(trial.key), Collectors.toList())));
        List<Tried> ranked = bySetting.entrySet().stream()
                .map(e -> Tried.of(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingDouble(tried -> -tried.validationAccuracy.mean()))
                .toList();
        Tried best = ranked.get(0);
        AtomicFile.write(out, arguments(base, chosen, best, ranked.size()));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("best", best);
        json.put("tried", ranked);
        common.print(
                json,
                ranked.stream().map(Tried::text).collect(Collectors.joining("\n"))
                        + String.format(
                                Locale.ROOT,
                                "%n%s has the best of them; test accuracy %.4f, standard deviation %.4f",
                                out,
                                best.testAccuracy.mean(),
                                best.testAccuracy.std()));
    }

    /** A file that picocli reads as arguments. */
    private String arguments(DetectorOptions base, List<Split> chosen, Tried tried, int settings) {
        Setting best = tried.setting;
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "# %s: best of %d settings by the mean validation accuracy %.4f over splits %s",
                source,
                settings,
                tried.validationAccuracy.mean(),
                chosen.stream().map(Split::name).collect(Collectors.joining(", "))));
        lines.add("# tried: widths " + list(widths) + "; dropouts " + list(dropouts) + "; learning rates " + list(rates)
                + "; weight decays " + list(decays));
        if (base.preprocessing().binary()) {
            lines.add("--binary");
        }
        lines.add("--normalise " + base.preprocessing().rows().name().toLowerCase(Locale.ROOT));
        lines.add("--model " + base.architecture());
        lines.add("--hidden " + best.hidden);
        lines.add("--dropout " + best.dropout);
        lines.add("--learning-rate " + best.learningRate);
        lines.add("--weight-decay " + best.weightDecay);
        lines.add("--layers " + base.model().layers());
        lines.add("--multiplier " + base.model().multiplier());
        lines.add("--patience " + base.training().patience());
        lines.add("--stopping " + base.training().stopping().name().toLowerCase(Locale.ROOT));
        base.model().choices().forEach((name, value) -> lines.add("--choose " + name + "=" + value));
        return String.join("\n", lines) + "\n";
    }

    private static String list(List<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
