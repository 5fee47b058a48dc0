// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.ChosenNodes;
import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DriftReport;
import dev.nescio.detector.KnownNodes;
import dev.nescio.detector.Role;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio watch}. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        description =
                "Test whether new nodes still look like a detector's ordinary ones: scores, hidden states, predicted classes, degrees and"
                        + " features; suited to a nightly job.",
        footer = {
            "",
            "Exit code 0: the new nodes look ordinary, or are too few to tell. 3: they do not. 1: an internal failure. 2: invalid input.",
            "",
            "Examples:",
            "  nescio watch model.nescio nodes.csv --edges edges.csv",
            "  nescio watch model.nescio nodes.csv --edges edges.csv --nodes today.txt --level 0.001 --json"
        })
public final class WatchCommand implements Callable<Integer> {

    static final int DRIFT = 3;

    private static final int MOST_FEATURES = 10;

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
        DriftReport.requireLevels(alpha, level);
        Detector detector = DetectorFile.read(model);
        Graph graph = graphs.readLike(source, detector.schema(), common);
        if (nodes.equals(ChosenNodes.NEW)
                && detector.nodesIn(graph).newIn(graph).isEmpty()) {
            common.print(Map.of("drift", false, "nodes", 0), "no new nodes: all of them were in the training graph");
            return ExitCode.OK;
        }
        NodeSet batch = untaught(ChosenNodes.of(nodes, graph, detector.nodesIn(graph)), graph, detector.nodesIn(graph));
        DriftReport drift;
        try (ProgressBar bar = common.progress("comparing")) {
            bar.at(0, 1, batch.size() + " nodes with " + detector.calibration().nodes() + " held-out ones");
            drift = DriftReport.of(detector, graph, batch, alpha, level);
        }
        if (detector.calibration().nodes() * alpha < 1) {
            common.note("note: " + detector.calibration().nodes()
                    + " held-out nodes are too few to flag anything at alpha " + alpha);
        }
        if (detector.reference() == null) {
            common.note("note: " + model
                    + " was made by a version that kept no states and features of held-out nodes; only scores are"
                    + " compared");
        }
        report(drift);
        return drift.isDrift(level) ? DRIFT : ExitCode.OK;
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

    private void report(DriftReport drift) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("drift", drift.isDrift(level) ? Boolean.TRUE : drift.isTooFew() ? null : Boolean.FALSE);
        json.put("level", level);
        json.put("pValue", drift.pValue());
        json.put("causes", drift.causes(level));
        json.put("nodes", drift.nodes());
        json.put("heldOut", drift.ordinary());
        json.put("reference", drift.reference());
        json.put("alpha", alpha);
        json.put("flagged", drift.scores().flagged());
        json.put("flaggedShare", drift.scores().flaggedShare());
        json.put("distance", drift.scores().distance());
        json.put("pDistribution", drift.scores().pDistribution());
        json.put("pFlagged", drift.scores().pFlagged());
        json.put("tests", drift.tests());
        json.put("moved", drift.moved());
        common.print(json, text(drift));
    }

    private String text(DriftReport drift) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d nodes, compared with %,d held-out ones%n%-18s  %-30s  %10s  %9s%n",
                drift.nodes(),
                drift.ordinary(),
                "what",
                "measured by",
                "difference",
                "p"));
        for (DriftReport.Test test : drift.tests()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-18s  %-30s  %10.4f  %9.2g%n",
                    test.what(),
                    test.measure(),
                    test.difference(),
                    test.pValue()));
        }
        drift.moved().stream()
                .limit(MOST_FEATURES)
                .forEach(feature -> text.append(String.format(
                        Locale.ROOT,
                        "  %s: mean %.4g, was %.4g (p %.2g)%n",
                        feature.feature(),
                        feature.now(),
                        feature.usual(),
                        feature.pValue())));
        if (drift.moved().size() > MOST_FEATURES) {
            text.append(String.format(
                    Locale.ROOT, "  and %,d more features%n", drift.moved().size() - MOST_FEATURES));
        }
        return text.append(verdict(drift)).toString();
    }

    private String verdict(DriftReport drift) {
        if (drift.isDrift(level)) {
            return String.format(
                    Locale.ROOT,
                    "drift: the nodes differ from held-out ones in %s (p %.2g for all tests together, level %s)",
                    String.join(", ", drift.causes(level)),
                    drift.pValue(),
                    level);
        }
        return drift.isTooFew()
                ? String.format(
                        Locale.ROOT,
                        "too few to tell: no difference was found, but that takes at least %d nodes and %d held-out ones",
                        DriftReport.ENOUGH_NODES,
                        DriftReport.ENOUGH_ORDINARY)
                : String.format(
                        Locale.ROOT,
                        "no drift: the nodes look like held-out ones (p %.2g for all tests together, level %s)",
                        drift.pValue(),
                        level);
    }
}
