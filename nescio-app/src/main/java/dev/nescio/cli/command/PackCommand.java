// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.PackedLocation;
import dev.nescio.io.pack.NodeOrder;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.problem.BadConfiguration;
import java.io.IOException;
import java.nio.file.Files;
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

/** {@code nescio pack}. */
@Command(
        name = "pack",
        mixinStandardHelpOptions = true,
        description = {
            "Write a graph as one compressed file that is read block by block.",
            "Tables are never held in memory: of ids only hashes are kept, and edges are sorted in files beside the output. What"
                    + " was packed from the same tables in the same way is left alone; after a kill, finished phases are not"
                    + " done again."
        },
        footer = {
            "",
            "Examples:",
            "  nescio pack nodes.csv --edges edges.csv --out graph.npk",
            "  nescio pack nodes.csv --edges edges.csv --order communities --out graph.npk",
            "  nescio pack today.parquet --edges edges.parquet --like detector.nescio --out today.npk",
            "  nescio score detector.nescio today.npk --memory 4g --out scores.csv"
        })
public final class PackCommand implements Callable<Integer> {

    @Parameters(paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    String source;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "A name ending in .npk.")
    Path out;

    @Option(
            names = "--like",
            paramLabel = "MODEL",
            description =
                    "A detector that the graph is packed for: columns become features as they did when it was trained.")
    @Nullable
    Path like;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            defaultValue = "table",
            description =
                    "How nodes follow each other: as in the table (default), or by communities, so that blocks have few"
                            + " neighbours outside of them. Scores are the same for each id, but come in this order.")
    NodeOrder order = NodeOrder.TABLE;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() throws IOException {
        common.begin();
        if (!PackedLocation.isNamed(out.toString())) {
            throw new BadConfiguration(out + " does not end in " + PackedLocation.ENDING);
        }
        TableSchema schema = like == null ? null : DetectorFile.read(like).schema();
        boolean isNew = graphs.pack(source, schema, order, out, common);
        try (PackedGraph graph = PackedGraph.open(out)) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("graph", out.toString());
            json.put("new", isNew);
            json.put("nodes", graph.nodes());
            json.put("edges", graph.edges());
            json.put("features", graph.features());
            json.put("classes", graph.classes().size());
            json.put("bytes", Files.size(out));
            common.print(
                    json,
                    String.format(
                            Locale.ROOT,
                            "%s: %,d nodes, %,d edges with directions, %,d features, %,d classes, %,d MiB%s",
                            out,
                            graph.nodes(),
                            graph.edges(),
                            graph.features(),
                            graph.classes().size(),
                            Files.size(out) >> 20,
                            isNew ? "" : "; it was up to date"));
        }
        return ExitCode.OK;
    }
}
