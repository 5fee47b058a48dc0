// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.DetectorFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.MemorySize;
import dev.nescio.cli.flag.PathName;
import dev.nescio.cli.flag.SplitChoice;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.Plan;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.detector.BlockTraining;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Evaluation;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.io.graph.PackedLocation;
import dev.nescio.metric.Spread;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.progress.Progress;
import dev.nescio.shift.Shift;
import dev.nescio.shift.Shifts;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.EstimatorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio evaluate}. */
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        description =
                "Train and evaluate on several splits: accuracy, and how well uncertainty detects left-out classes or noise.",
        footer = {
            "",
            "Examples:",
            "  nescio evaluate builtin:blocks --splits 0-4 --leave-out 4",
            "  nescio evaluate builtin:blocks --splits 0-4 --leave-out 4 --estimator jlde,jlde-kde,jlde-mixture,ebm,gnnsafe,gebm",
            "  nescio evaluate builtin:blocks --splits 0-4 --noise far",
            "  nescio evaluate cora_ml.npz --binary --normalise l1 --splits stratified:0-9 --leave-out last:3"
        })
public final class EvaluateCommand implements Callable<Integer> {

    /** Of a column: one more than the longest name. */
    private static final int WIDTH = 26;

    @Parameters(paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    String source;

    @Option(
            names = "--splits",
            paramLabel = "NAMES",
            defaultValue = "0-9",
            split = ",",
            description = "Splits by name or range: 0-9, stratified:0-4, planetoid (default ${DEFAULT-VALUE}).")
    List<String> splits;

    @Option(
            names = "--noise",
            paramLabel = "KIND",
            description =
                    "Replace the features of a tenth of the nodes after training, and see how well uncertainty detects"
                            + " them: near (like the data) or far (standard normal).")
    @Nullable
    String noise;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemorySize.Converter.class,
            description =
                    "Train and judge block by block with about so much memory, such as 4g; needs a graph from 'nescio pack' and"
                            + " --batch-nodes.")
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
        if (memory != null) {
            evaluateBlocks(memory.bytes());
            return ExitCode.OK;
        }
        Graph graph = graphs.readLabelled(source, common);
        List<Split> chosen = SplitChoice.all(graph, splits, common::note);
        DetectorOptions options = flags.optionsWithoutHeldOut(graph);
        if (noise != null && !isNoise(Shifts.named(noise.toLowerCase(Locale.ROOT)))) {
            throw new BadConfiguration("--noise takes near or far, got '" + noise + "'");
        }
        if (noise != null && !options.leftOut().isEmpty()) {
            throw new BadConfiguration("--noise and --leave-out cannot be combined; use one at a time");
        }
        List<TrainingView> views = chosen.stream()
                .map(split -> DetectorFlags.view(source, graph, split, options))
                .toList();
        remark(graph.features().columns());
        if (dryRun) {
            int atATime = Math.min(Engine.threads(), chosen.size());
            Plan plan = Plan.of(graph, chosen.get(0), options, atATime);
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("trainings", chosen.size());
            json.put("atATime", atATime);
            json.put("each", plan);
            common.print(json, chosen.size() + " trainings, " + atATime + " at a time, each:\n" + plan.text());
            return ExitCode.OK;
        }
        Evaluation[] results = new Evaluation[chosen.size()];
        AtomicInteger done = new AtomicInteger();
        try (ProgressBar bar = common.progress("evaluating")) {
            Parallel.sideBySide(results.length, i -> {
                Detector detector = Detector.train(views.get(i), options, TrainingListener.NONE);
                results[i] = judge(detector, graph, chosen.get(i));
                bar.at(done.incrementAndGet(), results.length, done + " of " + results.length + " splits");
            });
        }
        print(chosen, options, Arrays.asList(results));
        return ExitCode.OK;
    }

    private void remark(int features) {
        if (!flags.remark(features).isEmpty()) {
            common.note(flags.remark(features));
        }
    }

    private void evaluateBlocks(long bytes) {
        if (noise != null || !PackedLocation.isNamed(source)) {
            throw new BadConfiguration("--memory needs a graph from 'nescio pack' and does not go with --noise");
        }
        Packed.with(graphs, source, null, PathName.of(source), common, (graph, folder) -> {
            Graph nodes = graph.nodesAlone();
            graphs.requireLabels(source, graph.classes(), graph.schema());
            List<Split> chosen = SplitChoice.all(nodes, splits, common::note);
            DetectorOptions options = flags.optionsWithoutHeldOut(nodes, graph.features());
            remark(graph.features());
            BlockPass.Options limits = new BlockPass.Options(folder, bytes, 0);
            if (dryRun) {
                Plan plan = Plan.of(graph, chosen.get(0), options, bytes >> 20);
                common.print(plan, chosen.size() + " trainings, one after the other, each:\n" + plan.text());
                return;
            }
            List<Evaluation> results = new ArrayList<>();
            try (ProgressBar bar = common.progress("evaluating")) {
                for (Split split : chosen) {
                    Detector detector = BlockTraining.train(graph, split, options, limits, TrainingListener.NONE);
                    results.add(Evaluation.of(detector, graph, split, limits, Progress.NONE));
                    bar.at(results.size(), chosen.size(), results.size() + " of " + chosen.size() + " splits");
                }
            }
            print(chosen, options, results);
        });
    }

    private static boolean isNoise(Shift shift) {
        return shift != Shifts.CLEAN && !shift.leavesOut();
    }

    private Evaluation judge(Detector detector, Graph graph, Split split) {
        DetectorOptions options = detector.options();
        if (noise == null) {
            return Evaluation.of(detector, detector.score(graph), graph, split);
        }
        Shift.Setting setting = new Shift.Setting(
                graph,
                options.preprocessing(),
                split,
                options.leftOut(),
                options.training().seed());
        return Evaluation.of(
                detector, Shifts.named(noise.toLowerCase(Locale.ROOT)).apply(setting), graph, split);
    }

    private void print(List<Split> chosen, DetectorOptions options, List<Evaluation> results) {
        Map<String, ToDoubleFunction<Evaluation>> columns = new LinkedHashMap<>();
        columns.put("validation", Evaluation::validationAccuracy);
        columns.put("accuracy", result -> result.quality().accuracy());
        columns.put("largest_class", result -> result.test().largestShare());
        columns.put("roc_auc", result -> result.test().rocAuc());
        columns.put("calibration_error", result -> result.test().calibrationError());
        columns.put("auc_aleatoric", result -> result.quality().aucAleatoric());
        for (EstimatorSpec spec : options.estimators()) {
            String estimator = spec.label(options.estimators());
            if (spec.estimator().predictsItself()) {
                columns.put(
                        "acc_" + estimator, result -> result.quality(estimator).accuracy());
                columns.put(
                        "alea_" + estimator, result -> result.quality(estimator).aucAleatoric());
            }
            columns.put("auc_" + estimator, result -> result.quality(estimator).aucEpistemic());
        }
        explainMissing(columns, results);
        StringBuilder text = new StringBuilder(String.format("%-16s", "split"));
        columns.keySet().forEach(name -> text.append(String.format("%" + WIDTH + "s", name)));
        for (int i = 0; i < results.size(); i++) {
            Evaluation result = results.get(i);
            text.append(String.format("%n%-16s", chosen.get(i).name()));
            columns.values().forEach(c -> text.append(cell(c.applyAsDouble(result))));
        }
        text.append(String.format("%n%-16s", "mean"));
        columns.values().forEach(c -> text.append(cell(spread(results, c).mean())));
        text.append(String.format("%n%-16s", "std"));
        columns.values().forEach(c -> text.append(cell(spread(results, c).std())));
        Map<String, Object> json = new LinkedHashMap<>();
        columns.forEach((name, c) -> json.put(name, spread(results, c)));
        json.put("splits", results);
        common.print(json, text.toString());
    }

    private static String cell(double value) {
        return Double.isNaN(value)
                ? String.format("%" + WIDTH + "s", "-")
                : String.format(Locale.ROOT, "%" + WIDTH + ".4f", value);
    }

    /** Leaves out columns without any number, and says why numbers are missing. */
    private void explainMissing(Map<String, ToDoubleFunction<Evaluation>> columns, List<Evaluation> results) {
        long without = results.stream()
                .filter(result -> Double.isNaN(result.quality().aucEpistemic()))
                .count();
        columns.values().removeIf(column -> results.stream().allMatch(r -> Double.isNaN(column.applyAsDouble(r))));
        if (without == results.size()) {
            common.note(
                    "note: no test node is out of distribution, so there is no AUC; --leave-out hides a class from training,"
                            + " --noise near or far changes features");
        } else if (without > 0) {
            common.note("note: " + without + " of " + results.size()
                    + " splits have no test node that is out of distribution; they do not count in the means");
        }
    }

    private static Spread spread(List<Evaluation> results, ToDoubleFunction<Evaluation> column) {
        return Spread.of(results.stream().mapToDouble(column).filter(value -> !Double.isNaN(value)));
    }
}
