// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.graph.Graph;
import dev.nescio.io.graph.TableFiles;
import dev.nescio.problem.BadConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Write a graph as two tables, nodes.csv and edges.csv, as the network sees it: numbers that are missing are filled, categories are one"
                        + " column each.",
        footer = {"", "Example:", "  nescio export builtin:blocks --out shop"})
public final class ExportCommand implements Callable<Integer> {

    @Parameters(paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    String source;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Folder to write both to.")
    Path out;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        for (String name : List.of("nodes.csv", "edges.csv")) {
            if (Files.exists(out.resolve(name))) {
                throw new BadConfiguration(out.resolve(name) + " exists; it is left alone");
            }
        }
        graphs.raw = true;
        Graph graph = graphs.read(source, common);
        TableFiles.write(graph, out);
        common.print(
                Map.of(
                        "nodes",
                        out.resolve("nodes.csv").toString(),
                        "edges",
                        out.resolve("edges.csv").toString()),
                String.format(
                        Locale.ROOT,
                        "%s and %s: %,d nodes",
                        out.resolve("nodes.csv"),
                        out.resolve("edges.csv"),
                        graph.nodes()));
        return ExitCode.OK;
    }
}
