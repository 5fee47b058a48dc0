// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.DetectorFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.MemorySize;
import dev.nescio.cli.flag.SplitChoice;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.Plan;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.cli.output.TrainingSummary;
import dev.nescio.cli.output.Visible;
import dev.nescio.detector.BlockTraining;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Evaluation;
import dev.nescio.detector.TestResult;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.TrainingLog;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.LabelTable;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.study.AutoSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio train}. */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        description = "Train a model on a graph, fit the uncertainty estimators, and save both.",
        footer = {
            "",
            "Examples:",
            "  nescio train builtin:blocks --leave-out 4 --out model",
            "  nescio train cora_ml.npz --binary --normalise l1 --split stratified:0 --out model",
            "  nescio train chameleon_filtered.npz --split 3 --hidden 512 --out model.zip --dry-run"
        })
public final class TrainCommand implements Callable<Integer> {

    @Parameters(paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    String source;

    @Option(
            names = "--split",
            paramLabel = "NAME",
            description =
                    "A stored split, shares such as 60/20/20[:SEED], stratified:SEED, sequential:SEED or halving:SEED (default: the first one, or 60/20/20).")
    @Nullable
    String split;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "Where to save: a file ending in .nescio or .zip, or a directory.")
    Path out;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description =
                    "Table of ids and labels, such as the export of 'nescio serve': in place of the labels of the graph, and learned from."
                            + " The other nodes are split as they are without it.")
    @Nullable
    Path labels;

    @Option(
            names = "--log",
            paramLabel = "DIR",
            description = "Write loss and validation accuracy of every epoch to DIR, as CSV and for TensorBoard.")
    @Nullable
    Path log;

    @Option(
            names = "--auto",
            arity = "0",
            description =
                    "Choose dropout and learning rate on the validation nodes: four trainings before the real one, within --auto-minutes.")
    boolean auto;

    @Option(
            names = "--auto-minutes",
            paramLabel = "N",
            defaultValue = "10",
            description = "Time for --auto (default ${DEFAULT-VALUE}).")
    int autoMinutes;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemorySize.Converter.class,
            description =
                    "Train block by block with about so much memory, such as 4g, for graphs that do not fit; needs --batch-nodes. Tables"
                            + " are packed first, beside --out.")
    @Nullable
    MemorySize memory;

    @Option(names = "--dry-run", description = "Print the plan and its estimated memory, and stop.")
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
        DetectorFile.requireWritable(out);
        if (memory != null) {
            trainBlocks(memory.bytes());
            return ExitCode.OK;
        }
        Labelled labelled = labels == null ? labelled() : labelled(LabelTable.read(labels));
        Graph graph = labelled.graph;
        Split chosen = labelled.split;
        DetectorOptions given = flags.options(graph);
        TrainingView view = DetectorFlags.view(source, graph, chosen, given);
        remark(graph.features().columns());
        DetectorOptions options = auto && !dryRun ? automatic(view, given) : given;
        if (dryRun) {
            Plan plan = Plan.of(graph, chosen, options);
            common.print(plan, plan.text());
            return ExitCode.OK;
        }
        Detector detector;
        try (TrainingLog epochs = log == null ? null : new TrainingLog(log)) {
            detector = train(view, options, common, epochs == null ? TrainingListener.NONE : epochs);
        }
        try (ProgressBar bar = common.progress("writing")) {
            bar.at(0, 1, out.toString());
            DetectorFile.write(detector, out);
        }
        report(detector, chosen, TestResult.of(detector, graph, chosen.test()));
        return ExitCode.OK;
    }

    private record Labelled(Graph graph, Split split) {}

    private Labelled labelled() {
        Graph graph = graphs.readLabelled(source, common);
        return new Labelled(graph, SplitChoice.of(graph, split, common::note));
    }

    private Labelled labelled(LabelTable table) {
        Graph bare = graphs.read(source, common);
        Graph graph = table.on(bare);
        if (table.known(bare) < table.size()) {
            common.note("note: " + (table.size() - table.known(bare)) + " of " + table.size() + " labels in " + labels
                    + " are about nodes that " + source + " does not have");
        }
        if (bare.classes().isEmpty()) {
            common.note("note: " + source + " has no column of labels: only the " + table.known(bare) + " labels in "
                    + labels + " are learned from" + suspicion(bare.schema(), graph.classes()));
            return new Labelled(graph, SplitChoice.of(graph, split, common::note));
        }
        return new Labelled(graph, table.on(graph, SplitChoice.of(bare, split, common::note)));
    }

    /** A column that holds the same words as the labels would be learned from as a feature. */
    private static String suspicion(@Nullable TableSchema schema, List<String> classes) {
        return schema == null
                ? ""
                : schema.columns().stream()
                        .filter(column -> column.categories().stream().anyMatch(classes::contains))
                        .findFirst()
                        .map(column ->
                                "; column '" + column.name() + "' holds the same words and is taken for a feature"
                                        + " (--label " + column.name() + "?)")
                        .orElse("");
    }

    private void remark(int features) {
        if (!flags.remark(features).isEmpty() && !auto) {
            common.note(flags.remark(features));
        }
    }

    private void trainBlocks(long bytes) {
        if (auto) {
            throw new BadConfiguration(
                    "--auto and --memory cannot be combined; 'nescio tune' on a part of the graph tells settings");
        }
        if (labels != null) {
            throw new BadConfiguration(
                    "--labels and --memory cannot be combined; put the labels into the table of the nodes");
        }
        Packed.with(graphs, source, null, out, common, (graph, folder) -> {
            Graph nodes = graphs.nodesAlone(source, graph);
            graphs.requireLabels(source, graph.classes(), graph.schema());
            Split chosen = SplitChoice.of(nodes, split, common::note);
            DetectorOptions options = flags.options(nodes, graph.features());
            remark(graph.features());
            BlockPass.Options limits = new BlockPass.Options(folder, bytes, 0);
            if (dryRun) {
                Plan plan = Plan.of(graph, chosen, options, bytes >> 20);
                common.print(plan, plan.text());
                return;
            }
            Detector detector;
            try (TrainingLog epochs = log == null ? null : new TrainingLog(log)) {
                detector = train(
                        options,
                        common,
                        epochs == null ? TrainingListener.NONE : epochs,
                        listener -> BlockTraining.train(graph, chosen, options, limits, listener));
            }
            DetectorFile.write(detector, out);
            try (ProgressBar bar = common.progress("testing")) {
                report(
                        detector,
                        chosen,
                        Evaluation.of(
                                        detector,
                                        graph,
                                        chosen,
                                        limits,
                                        (done, total) -> bar.at(done, total, "block by block"))
                                .test());
            }
        });
    }

    private void report(Detector detector, Split chosen, TestResult test) {
        TrainingSummary summary = new TrainingSummary(out.toString(), detector, chosen, test, next(detector));
        common.print(summary.json(), summary.text());
    }

    private DetectorOptions automatic(TrainingView view, DetectorOptions given) {
        if (autoMinutes < 1) {
            throw new BadConfiguration("--auto-minutes must be at least 1, got " + autoMinutes);
        }
        Set<String> fixed = new HashSet<>(flags.model.given().keySet());
        fixed.addAll(flags.training.given().keySet());
        try (ProgressBar bar = common.progress("choosing settings")) {
            AutoSettings.Choice choice = AutoSettings.choose(
                    view,
                    given,
                    fixed,
                    Duration.ofMinutes(autoMinutes),
                    (done, total) -> bar.at(done, total, done + " of " + total + " trainings"));
            for (AutoSettings.Tried tried : choice.tried()) {
                common.note(String.format(
                        Locale.ROOT,
                        "auto: %s: %s%s",
                        tried.values(),
                        Double.isNaN(tried.accuracy())
                                ? "not finished"
                                : String.format(
                                        Locale.ROOT,
                                        "validation accuracy %.4f, loss %.4f",
                                        tried.accuracy(),
                                        tried.loss()),
                        tried.values().equals(choice.values()) ? "  <- chosen" : ""));
            }
            return choice.options();
        }
    }

    /** Trains with a progress bar. */
    static Detector train(TrainingView view, DetectorOptions options, CommonFlags common, TrainingListener log) {
        return train(options, common, log, listener -> Detector.train(view, options, listener));
    }

    private static Detector train(
            DetectorOptions options,
            CommonFlags common,
            TrainingListener log,
            Function<TrainingListener, Detector> training) {
        try (ProgressBar bar = common.progress("training")) {
            int epochs = options.training().epochs();
            int patience = options.training().patience();
            TrainingListener listener = new TrainingListener() {
                @Override
                public void epoch(Epoch e) {
                    log.epoch(e);
                    bar.at(
                            e.number(),
                            Math.min(epochs, e.bestEpoch() + patience),
                            String.format(
                                    Locale.ROOT,
                                    "epoch %d, loss %.3f, validation accuracy %.3f (best %.3f in epoch %d)",
                                    e.number(),
                                    e.loss(),
                                    e.accuracy(),
                                    e.bestAccuracy(),
                                    e.bestEpoch()));
                }

                @Override
                public void step(String what) {
                    bar.at(1, 1, what);
                }

                @Override
                public void trained(int networks, int total) {
                    bar.at(networks, total, networks + " of " + total + " networks");
                }
            };
            Detector detector = training.apply(listener);
            detector.estimators().remarks().forEach(remark -> common.note("note: " + remark));
            return detector;
        }
    }

    /** The command that scores the same graph. */
    private String next(Detector detector) {
        int enough = 20;
        return "nescio score " + Visible.argument(out.toString()) + " " + Visible.argument(source)
                + (graphs.edges == null ? "" : " --edges " + Visible.argument(graphs.edges.toString()))
                + (graphs.dropDangling ? " --drop-dangling" : "")
                + (detector.calibration().nodes() < enough ? "" : " --alpha 0.05") + " --out scores.csv";
    }
}
