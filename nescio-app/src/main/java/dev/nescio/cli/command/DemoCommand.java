// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.Plan;
import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Evaluation;
import dev.nescio.detector.Provenance;
import dev.nescio.detector.ScoreTable;
import dev.nescio.detector.Scores;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Homophily;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.score.ScoreFormats;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.report.Report;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nescio demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Train on a built-in heterophilic graph, score every node, and write a report.",
            "One of the five classes is hidden from training; a good epistemic uncertainty finds its nodes."
        },
        footer = {"", "Examples:", "  nescio demo", "  nescio demo --seed 7 --out /tmp/demo"})
public final class DemoCommand implements Callable<Integer> {

    static final String GRAPH = "blocks";
    static final int UNSEEN_CLASS = 4;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "nescio-demo",
            description = "Where to write report, scores and model (default ${DEFAULT-VALUE}).")
    Path out;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "0", description = "Random seed (default 0).")
    long seed;

    @Option(names = "--dry-run", description = "Print the plan and its estimated memory, and stop.")
    boolean dryRun;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.begin();
        long start = System.nanoTime();
        Graph graph = BuiltinGraphs.make(GRAPH);
        Split split = graph.split("0");
        DetectorOptions options = DetectorOptions.defaults().withSeed(seed).withLeftOut(Set.of(UNSEEN_CLASS));
        if (dryRun) {
            Plan plan = Plan.of(graph, split, options);
            common.print(plan, plan.text());
            return ExitCode.OK;
        }
        Path model = out.resolve("model");
        DetectorFile.requireWritable(model);
        Detector detector =
                TrainCommand.train(TrainingView.of(graph, split, options), options, common, TrainingListener.NONE);
        Scores scores = ScoreCommand.score(detector, graph, common);
        Evaluation evaluation = Evaluation.of(detector, scores, graph, split);
        double seconds = (System.nanoTime() - start) / 1e9;
        DetectorFile.write(detector, model);
        Path table = out.resolve("scores.csv");
        ScoreFormats.of(table).write(ScoreTable.of(scores, Decisions.of(scores, Decisions.Wishes.NONE)), graph, table);
        Path report = out.resolve("report.html");
        AtomicFile.write(
                report,
                new Report(detector, scores, graph, split)
                        .html(figures(evaluation, graph, seconds), next(model), reproduce(detector)));
        print(evaluation, graph, seconds, report);
        return ExitCode.OK;
    }

    private static Map<String, String> figures(Evaluation e, Graph graph, double seconds) {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("accuracy on known classes", percent(e.quality().accuracy()));
        figures.put("AUC-ROC, epistemic, unseen class", percent(e.quality().aucEpistemic()));
        figures.put("AUC-ROC, aleatoric, unseen class", percent(e.quality().aucAleatoric()));
        figures.put(
                "edge homophily",
                String.format(Locale.ROOT, "%.2f", Homophily.of(graph).edge()));
        figures.put("to train and score", String.format(Locale.ROOT, "%.1f s", seconds));
        return figures;
    }

    private static Map<String, String> next(Path model) {
        Map<String, String> commands = new LinkedHashMap<>();
        commands.put(
                "why is a node uncertain?",
                "nescio explain " + model + " builtin:" + GRAPH + " --node ID --out why.html");
        commands.put(
                "flag unusual nodes", "nescio score " + model + " builtin:" + GRAPH + " --alpha 0.05 --out scores.csv");
        commands.put("look at your own tables", "nescio inspect nodes.csv --edges edges.csv");
        commands.put(
                "and train on them", "nescio train nodes.csv --edges edges.csv --label COLUMN --out detector.nescio");
        return commands;
    }

    private Map<String, String> reproduce(Detector detector) {
        Provenance p = detector.provenance();
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("command", "nescio demo --seed " + seed);
        rows.put(
                "the same step by step",
                "nescio train builtin:" + GRAPH + " --leave-out " + UNSEEN_CLASS + " --seed " + seed
                        + " --out model && nescio score model builtin:" + GRAPH + " --out scores.csv");
        rows.put("graph", p.graph() + ", fingerprint " + p.fingerprint());
        rows.put(
                "training",
                String.format(
                        Locale.ROOT,
                        "%d epochs, the best was epoch %d with validation accuracy %.4f",
                        p.epochs(),
                        p.bestEpoch(),
                        p.validationAccuracy()));
        rows.put(
                "versions",
                "Nescio " + DetectorFile.version() + ", libtorch " + p.engine() + ", Java "
                        + System.getProperty("java.version"));
        return rows;
    }

    private void print(Evaluation e, Graph graph, double seconds, Path report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("accuracy", e.quality().accuracy());
        json.put("aucAleatoric", e.quality().aucAleatoric());
        json.put("aucEpistemic", e.quality().aucEpistemic());
        json.put("seconds", seconds);
        json.put("report", report.toString());
        common.print(
                json,
                String.format(
                        Locale.ROOT,
                        """
                graph                                %s, %,d nodes, edge homophily %.2f
                accuracy on known classes            %s
                AUC-ROC of aleatoric, unseen class   %s
                AUC-ROC of epistemic, unseen class   %s
                time to train and score              %.1f s
                report                               %s""",
                        graph.name(),
                        graph.nodes(),
                        Homophily.of(graph).edge(),
                        percent(e.quality().accuracy()),
                        percent(e.quality().aucAleatoric()),
                        percent(e.quality().aucEpistemic()),
                        seconds,
                        report));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
