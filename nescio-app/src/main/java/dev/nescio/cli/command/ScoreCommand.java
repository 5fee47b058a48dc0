// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.ChosenNodes;
import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.DecisionFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.MemorySize;
import dev.nescio.cli.flag.OutsideStates;
import dev.nescio.cli.flag.StatesFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.cli.output.Visible;
import dev.nescio.detector.BlockScoring;
import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.MemoryEstimate;
import dev.nescio.detector.ScoreTable;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.score.CsvScores;
import dev.nescio.io.score.ScoreFormat;
import dev.nescio.io.score.ScoreFormats;
import dev.nescio.io.score.ScoreStream;
import dev.nescio.model.block.BlockPass;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.uncertainty.estimator.Estimators;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio score}. */
@Command(
        name = "score",
        mixinStandardHelpOptions = true,
        description = "Score every node of a graph: predicted class, probability, aleatoric and epistemic uncertainty.",
        footer = {
            "",
            "Without --out the table goes to stdout. Larger = more uncertain.",
            "",
            "Examples:",
            "  nescio score model builtin:blocks --out scores.csv",
            "  nescio score model builtin:blocks --estimator jlde,ebm,gnnsafe --out scores.csv",
            "  nescio score model.nescio nodes.csv --edges edges.csv --alpha 0.05 --out scores.csv",
            "  nescio score model.zip cora_ml.npz --json > scores.json"
        })
public final class ScoreCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "DETECTOR", description = "What 'nescio train' or 'nescio fit' has saved.")
    Path model;

    @Parameters(index = "1", arity = "0..1", paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    @Nullable
    String source;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description =
                    "Where to write the table; the ending says how: .csv, .csv.gz, .parquet, .json, .ndjson, or .graphml and .gexf with the"
                            + " edges, for drawing.")
    @Nullable
    Path out;

    @Option(
            names = "--estimator",
            paramLabel = "NAMES",
            description =
                    "Which of the fitted estimators to use, separated by commas, the first one as epistemic uncertainty; ebm, gnnsafe"
                            + " and mcd need no fit (default: all that were fitted).")
    @Nullable
    String estimators;

    @Option(
            names = "--spreadsheet",
            description =
                    "Put an apostrophe before ids and classes that begin with =, +, - or @, which a spreadsheet would take for"
                            + " formulas (default: ids as they came, so that tables can be joined).")
    boolean spreadsheet;

    @Option(names = "--probabilities", description = "Add a column with the probability of each class.")
    boolean probabilities;

    @Option(names = "--dry-run", description = "Check model and graph, print the plan, and stop.")
    boolean dryRun;

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description =
                    "Score these nodes only: a file with one id per line, or new for all that were unseen in training.")
    @Nullable
    String nodes;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemorySize.Converter.class,
            description =
                    "Score block by block with about so much memory, such as 4g, for graphs that do not fit; tables are packed first,"
                            + " beside --out.")
    @Nullable
    MemorySize memory;

    @Mixin
    DecisionFlags decide;

    @Mixin
    StatesFlags states;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() throws IOException {
        common.begin();
        if ((dryRun || nodes != null) && (states.areGiven() || EmbeddingDetectorFile.is(model))) {
            throw new BadConfiguration(
                    "--dry-run and --nodes need a detector made by 'nescio train'; " + model + " is not one");
        }
        ScoreFormat format = out == null ? null : ScoreFormats.of(out);
        if (out != null) {
            AtomicFile.requireReplaceable(out);
            graphs.requireOther(out, source);
        }
        if (format != null && format.needsGraph() && (states.areGiven() || nodes != null)) {
            throw new BadConfiguration(
                    out + " holds a whole graph, so that --states and --nodes cannot be used with it");
        }
        if (states.areGiven()) {
            write(score(OutsideStates.given(model, states)), null);
            return ExitCode.OK;
        }
        if (source == null) {
            throw new BadConfiguration("name the graph to score, or --states");
        }
        if (EmbeddingDetectorFile.is(model)) {
            OutsideStates outside = OutsideStates.made(model, source, graphs, common);
            write(score(outside), outside.graph());
            return ExitCode.OK;
        }
        Detector detector = chosen(DetectorFile.read(model));
        if (memory != null) {
            scoreBlocks(detector, source, memory.bytes());
            return ExitCode.OK;
        }
        Graph graph = graphs.readLike(source, detector.schema(), common);
        requireFeatures(detector, graph);
        if (!Fingerprint.of(graph).equals(detector.provenance().fingerprint())) {
            common.note("note: " + graph.name() + " is not the graph that " + model + " was trained on ("
                    + detector.provenance().graph() + ")"
                    + (graph.ids() instanceof NodeIds.Numbered
                                    && graph.nodes() >= detector.provenance().nodes()
                            ? "; its nodes have no ids: those with the numbers of training nodes are taken for them"
                            : ""));
        }
        if (dryRun) {
            plan(detector, graph);
            return ExitCode.OK;
        }
        write(
                nodes == null
                        ? score(detector, graph, common)
                        : detector.score(graph, ChosenNodes.of(nodes, graph, detector.nodesIn(graph))),
                graph);
        return ExitCode.OK;
    }

    private void scoreBlocks(Detector detector, String place, long bytes) {
        BlockScoring.require(detector.options());
        if (out == null || nodes != null || decide.falseAlarms != null) {
            throw new BadConfiguration(
                    "--memory needs --out and goes neither with --nodes nor with --false-alarms, which needs all scores at once");
        }
        ScoreStream.require(out);
        Path table = out;
        Packed.with(graphs, place, detector.schema(), table, common, (graph, folder) -> {
            if (dryRun) {
                common.print(
                        Map.of("nodes", graph.nodes(), "memoryMebibytes", bytes >> 20),
                        BlockScores.plan(detector, graph, bytes));
                return;
            }
            new BlockScores(detector, decide.wishes(), common)
                    .write(
                            graph,
                            new BlockPass.Options(folder, bytes, 0),
                            probabilities,
                            scores -> spreadsheet ? scores.forSpreadsheets() : scores,
                            table);
        });
    }

    private void requireFeatures(Detector detector, Graph graph) {
        int wanted = detector.model().shape().features();
        if (graph.features().columns() != wanted) {
            throw new BadInput(graph.name() + " has " + graph.features().columns() + " features per node, but " + model
                    + " was trained on " + wanted);
        }
    }

    private Scores score(OutsideStates outside) {
        EmbeddingDetector detector = estimators == null
                ? outside.detector()
                : outside.detector().withEstimators(Estimators.split(estimators));
        detector.estimators().remarks().forEach(remark -> common.note("note: " + remark));
        try (ProgressBar bar = common.progress("scoring")) {
            return detector.score(
                    outside.evidence(),
                    outside.ids(),
                    (done, total) -> bar.at(done, total, done + " of " + total + " nodes"));
        }
    }

    private Detector chosen(Detector detector) {
        Detector chosen = estimators == null ? detector : detector.withEstimators(Estimators.split(estimators));
        chosen.estimators().remarks().forEach(remark -> common.note("note: " + remark));
        return chosen;
    }

    private void plan(Detector detector, Graph graph) {
        long memory = MemoryEstimate.scoring(graph, detector.options());
        List<String> names = detector.options().labels();
        common.print(
                Map.of(
                        "model",
                        model.toString(),
                        "nodes",
                        graph.nodes(),
                        "estimators",
                        names,
                        "memoryMebibytes",
                        memory),
                String.format(
                        Locale.ROOT,
                        "would score %,d nodes of %s with %s by %s; memory about %,d MiB",
                        graph.nodes(),
                        graph.name(),
                        model,
                        String.join(", ", names),
                        memory));
    }

    /** Scores with a progress bar. */
    static Scores score(Detector detector, Graph graph, CommonFlags common) {
        try (ProgressBar bar = common.progress("scoring")) {
            bar.at(0, graph.nodes(), "running the model on " + graph.nodes() + " nodes");
            return detector.score(graph, (done, total) -> bar.at(done, total, done + " of " + total + " nodes"));
        }
    }

    private void write(Scores scores, @Nullable Graph graph) throws IOException {
        Decisions decisions = Decisions.of(scores, decide.wishes());
        decisions.remarks().forEach(common::note);
        ScoreTable plain = ScoreTable.of(scores, decisions, probabilities);
        ScoreTable table = spreadsheet ? plain.forSpreadsheets() : plain;
        if (out != null) {
            try (ProgressBar bar = common.progress("writing")) {
                bar.at(0, 1, out.toString());
                ScoreFormats.of(out).write(table, graph, out);
            }
            warnOfFormulas(scores);
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("scores", out.toString());
            json.put("nodes", scores.nodes());
            String text = String.format(Locale.ROOT, "%s: %,d nodes", out, scores.nodes())
                    + counted("flagged", decisions.flagged(), json)
                    + counted("listed", decisions.listed(), json)
                    + counted("abstains", decisions.abstains(), json);
            json.put("remarks", decisions.remarks());
            common.print(json, text);
        } else if (common.json) {
            common.print(IntStream.range(0, table.rows()).mapToObj(table::row).toList(), "");
        } else {
            CsvScores.write(table, Visible.isWanted() ? Visible.writer(common.out()) : common.out());
            common.out().flush();
        }
    }

    private void warnOfFormulas(Scores scores) {
        long formulas = IntStream.range(0, scores.nodes())
                .filter(i -> ScoreTable.isFormula(scores.ids().name(i)))
                .count();
        boolean isForSpreadsheets =
                out == null || String.valueOf(out.getFileName()).matches(".*\\.csv(\\.gz)?");
        if (formulas > 0 && !spreadsheet && isForSpreadsheets) {
            common.note(String.format(
                    Locale.ROOT,
                    "%,d ids begin with =, +, -, @ or a tab: a spreadsheet would take them for formulas; --spreadsheet marks them as text",
                    formulas));
        }
    }

    private static String counted(String what, boolean @Nullable [] nodes, Map<String, Object> json) {
        if (nodes == null) {
            return "";
        }
        int count = 0;
        for (boolean node : nodes) {
            count += node ? 1 : 0;
        }
        json.put(what, count);
        return String.format(Locale.ROOT, ", %s %,d", what, count);
    }
}
