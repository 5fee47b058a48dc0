// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.ChosenNodes;
import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.decision.Drift;
import dev.nescio.detector.Detector;
import dev.nescio.detector.KnownNodes;
import dev.nescio.detector.Role;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio watch}. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        description = "Test whether new nodes still look like a detector's ordinary ones; suited to a nightly job.",
        footer = {
            "",
            "Exit code 0: the new nodes look ordinary. 3: they do not. 1: an internal failure. 2: invalid input.",
            "",
            "Examples:",
            "  nescio watch model.nescio nodes.csv --edges edges.csv",
            "  nescio watch model.nescio nodes.csv --edges edges.csv --nodes today.txt --level 0.001 --json"
        })
public final class WatchCommand implements Callable<Integer> {

    static final int DRIFT = 3;

    @Parameters(index = "0", paramLabel = "DETECTOR", description = "What 'nescio train' has saved.")
    Path model;

    @Parameters(index = "1", paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    String source;

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            defaultValue = "new",
            description = "The new nodes: a file with one id per line (default: all that were unseen in training).")
    String nodes;

    @Option(
            names = "--level",
            paramLabel = "P",
            defaultValue = "0.01",
            description = "Probability of a false alarm when there is no drift (default ${DEFAULT-VALUE}).")
    double level;

    @Option(
            names = "--alpha",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Share of ordinary nodes that are flagged (default ${DEFAULT-VALUE}).")
    double alpha;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.begin();
        Detector detector = DetectorFile.read(model);
        Graph graph = graphs.readLike(source, detector.schema(), common);
        if (nodes.equals(ChosenNodes.NEW) && detector.nodes().newIn(graph).isEmpty()) {
            common.print(Map.of("drift", false, "nodes", 0), "no new nodes: all of them were in the training graph");
            return ExitCode.OK;
        }
        NodeSet batch = untaught(ChosenNodes.of(nodes, graph, detector.nodes()), graph, detector.nodes());
        Scores scores = detector.score(graph, batch);
        Drift drift = Drift.of(detector.calibration().pValues(scores.estimator()), scores.epistemic(), alpha);
        if (detector.calibration().nodes() * alpha < 1) {
            common.note(
                    "note: " + detector.calibration().nodes() + " held-out nodes are too few to flag anything at alpha "
                            + alpha + "; only the distribution of the scores is compared");
        }
        boolean isUnusual = drift.isAbove(level);
        report(drift, isUnusual);
        return isUnusual ? DRIFT : ExitCode.OK;
    }

    /** Training nodes are not like new ones, whatever happens: they would raise or hide an alarm. */
    private NodeSet untaught(NodeSet batch, Graph graph, KnownNodes known) {
        NodeSet untaught = batch.filter(v -> known.role(graph.ids().name(v)) != Role.TRAINING);
        if (untaught.isEmpty()) {
            throw new BadInput("all nodes of " + nodes + " are training nodes of " + model
                    + ": nodes that it has learned from cannot tell whether something changed");
        }
        if (untaught.size() < batch.size()) {
            common.note("note: " + (batch.size() - untaught.size()) + " of " + batch.size()
                    + " nodes are training nodes and are left out");
        }
        return untaught;
    }

    private void report(Drift drift, boolean isUnusual) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("drift", isUnusual);
        json.put("level", level);
        json.put("alpha", alpha);
        json.put("nodes", drift.nodes());
        json.put("flagged", drift.flagged());
        json.put("flaggedShare", drift.flaggedShare());
        json.put("distance", drift.distance());
        json.put("pDistribution", drift.pDistribution());
        json.put("pFlagged", drift.pFlagged());
        common.print(
                json,
                String.format(
                        Locale.ROOT,
                        """
                new nodes                         %,d
                flagged at alpha %-6s           %,d, %.2f %% (p %.3g)
                distance from ordinary nodes      %.4f (Kolmogorov-Smirnov, p %.3g)
                %s""",
                        drift.nodes(),
                        alpha,
                        drift.flagged(),
                        100 * drift.flaggedShare(),
                        drift.pFlagged(),
                        drift.distance(),
                        drift.pDistribution(),
                        isUnusual
                                ? "drift: the new nodes do not look like the detector's held-out nodes"
                                : "no drift: the new nodes look like the detector's held-out nodes"));
    }
}
