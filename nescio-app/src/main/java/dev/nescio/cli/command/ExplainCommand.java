// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.OutsideStates;
import dev.nescio.cli.flag.StatesFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.detector.Detector;
import dev.nescio.detector.NodeExplanation;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.report.Ego;
import dev.nescio.report.NodeExplanationReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio explain}. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description =
                "Explain why a node is uncertain: what each layer adds, the training nodes it was compared with, and the features and"
                        + " neighbours that matter most.",
        footer = {
            "",
            "Layer H0 sees the node's own features, H1 also its neighbours, H2 also theirs.",
            "",
            "Examples:",
            "  nescio explain model builtin:blocks --node 2905",
            "  nescio explain model builtin:blocks --node 2905 --out why.html",
            "  nescio explain model builtin:blocks --node 2905 --json",
            "  nescio explain fitted.nescio --states h0.npy,h1.npy,h2.npy --node 17"
        })
public final class ExplainCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "MODEL", description = "What 'nescio train' or 'nescio fit' has saved.")
    Path model;

    @Parameters(index = "1", arity = "0..1", paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    @Nullable
    String source;

    @Option(
            names = "--node",
            paramLabel = "ID",
            required = true,
            description = "The node, by its id as in the table of scores.")
    String id;

    @Option(names = "--out", paramLabel = "FILE", description = "Write an HTML page with the neighbourhood drawn.")
    @Nullable
    Path out;

    @Mixin
    StatesFlags states;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.begin();
        graphs.requireOther(out, source);
        if (states.areGiven()) {
            explain(OutsideStates.given(model, states), "--states");
            return ExitCode.OK;
        }
        if (source == null) {
            throw new BadConfiguration("name the graph that the node is in, or --states");
        }
        if (EmbeddingDetectorFile.is(model)) {
            explain(OutsideStates.made(model, source, graphs, common), source);
            return ExitCode.OK;
        }
        Detector detector = DetectorFile.read(model);
        Graph graph = graphs.readLike(source, detector.schema(), common);
        int node = find(graph.ids(), source);
        NodeExplanation why = NodeExplanation.of(detector, graph, node);
        print(why, out == null ? null : Ego.of(detector, graph, node));
        return ExitCode.OK;
    }

    private void explain(OutsideStates outside, String place) {
        int node = find(outside.ids(), place);
        print(outside.explain(node), null);
    }

    private int find(NodeIds ids, String place) {
        return ids.find(id).orElseThrow(() -> new BadConfiguration(place + " has no node '" + id + "'"));
    }

    private void print(NodeExplanation why, @Nullable Ego ego) {
        if (out != null) {
            AtomicFile.write(out, NodeExplanationReport.html(why, ego));
            common.note(out.toString());
        }
        common.print(why, NodeExplanationReport.text(why));
    }
}
