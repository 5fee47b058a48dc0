// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.output.ColumnTable;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Homophily;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.graph.ColumnProfile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nescio inspect}. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description =
                "Describe a graph: size, classes, splits, components, homophily. Without a graph: list the built-in ones.",
        footer = {
            "",
            "Examples:",
            "  nescio inspect cora_ml.npz",
            "  nescio inspect 'builtin:mixed?homophily=0.9' --json"
        })
public final class InspectCommand implements Callable<Integer> {

    @Parameters(paramLabel = "GRAPH", arity = "0..1", description = GraphFlags.DESCRIPTION)
    @Nullable
    String source;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.begin();
        if (source == null) {
            StringBuilder text = new StringBuilder();
            BuiltinGraphs.list().forEach((name, summary) -> text.append("builtin:")
                    .append(name)
                    .append("\n    ")
                    .append(summary)
                    .append('\n'));
            common.print(BuiltinGraphs.list(), text.toString().stripTrailing());
            return ExitCode.OK;
        }
        List<ColumnProfile> columns = new ArrayList<>();
        Graph graph = graphs.read(source, common, columns::addAll);
        Description description = Description.of(graph, columns);
        common.print(description, description.text());
        return ExitCode.OK;
    }

    record SplitSizes(int training, int validation, int test) {}

    record Description(
            String name,
            int nodes,
            int directedEdges,
            Adjacency.Notes building,
            int components,
            int isolatedNodes,
            int features,
            String featureStorage,
            double featureFill,
            List<ColumnProfile> columns,
            Map<String, Integer> classSizes,
            int unlabelled,
            Map<String, SplitSizes> splits,
            @Nullable Homophily homophily,
            String fingerprint) {

        static Description of(Graph graph, List<ColumnProfile> columns) {
            Map<String, Integer> sizes = new LinkedHashMap<>();
            graph.classes().forEach(c -> sizes.put(c, 0));
            int unlabelled = 0;
            for (int label : graph.labels()) {
                if (label < 0) {
                    unlabelled++;
                } else {
                    sizes.merge(graph.classes().get(label), 1, Integer::sum);
                }
            }
            Map<String, SplitSizes> splits = new LinkedHashMap<>();
            for (Split s : graph.splits().values()) {
                splits.put(
                        s.name(),
                        new SplitSizes(
                                s.train().size(),
                                s.validation().size(),
                                s.test().size()));
            }
            boolean hasHomophily =
                    graph.classes().size() > 1 && graph.adjacency().edges() > 0;
            long cells = (long) graph.nodes() * graph.features().columns();
            long nonZero = graph.features() instanceof DenseMatrix dense
                    ? dense.toSparse().stored()
                    : graph.features().stored();
            return new Description(
                    graph.name(),
                    graph.nodes(),
                    graph.adjacency().edges(),
                    graph.notes(),
                    graph.adjacency().components(),
                    graph.adjacency().isolatedNodes(),
                    graph.features().columns(),
                    graph.features() instanceof SparseMatrix ? "sparse" : "dense",
                    cells == 0 ? 0 : (double) nonZero / cells,
                    columns,
                    sizes,
                    unlabelled,
                    splits,
                    hasHomophily ? Homophily.of(graph) : null,
                    Fingerprint.of(graph));
        }

        String text() {
            StringBuilder text = new StringBuilder();
            line(text, "graph", name);
            line(
                    text,
                    "nodes",
                    String.format(
                            Locale.ROOT, "%,d in %,d components, %,d isolated", nodes, components, isolatedNodes));
            line(text, "edges", String.format(Locale.ROOT, "%,d directed (%s)", directedEdges, building.describe()));
            line(
                    text,
                    "features",
                    String.format(
                            Locale.ROOT, "%,d, kept %s, %.1f %% filled", features, featureStorage, 100 * featureFill));
            ColumnTable.append(columns, text);
            line(text, "classes", classes());
            if (splits.isEmpty()) {
                line(text, "splits", "none ('train' draws 60/20/20 unless --split says otherwise)");
            } else {
                SplitSizes first = splits.values().iterator().next();
                line(
                        text,
                        "splits",
                        String.join(", ", splits.keySet())
                                + String.format(
                                        Locale.ROOT,
                                        " (the first: %,d training, %,d validation, %,d test)",
                                        first.training,
                                        first.validation,
                                        first.test));
            }
            if (homophily != null) {
                line(
                        text,
                        "homophily",
                        String.format(
                                Locale.ROOT,
                                "edge %.4f, node %.4f, class %.4f, adjusted %.4f",
                                homophily.edge(),
                                homophily.node(),
                                homophily.classInsensitive(),
                                homophily.adjusted()));
                line(text, "compatibility", "share of the edge ends of class i (row) that land in class j (column)");
                List<String> names = List.copyOf(classSizes.keySet());
                for (int i = 0; i < homophily.compatibility().length; i++) {
                    StringBuilder row = new StringBuilder();
                    for (double share : homophily.compatibility()[i]) {
                        row.append(String.format(Locale.ROOT, " %5.2f", share));
                    }
                    line(text, "", row.toString().substring(1) + "   " + names.get(i));
                }
            } else {
                line(text, "homophily", "not defined: needs edges and at least two classes");
            }
            line(text, "fingerprint", fingerprint);
            return text.toString().stripTrailing();
        }

        private String classes() {
            if (classSizes.isEmpty()) {
                return columns.isEmpty() ? "no labels" : "no labels; --label names their column";
            }
            return classSizes.size() + ": " + join(classSizes)
                    + (unlabelled == 0 ? "" : String.format(Locale.ROOT, "; %,d nodes have no label", unlabelled));
        }

        private static String join(Map<String, Integer> sizes) {
            return String.join(
                    ", ",
                    sizes.entrySet().stream()
                            .map(e -> e.getKey() + " (" + e.getValue() + ")")
                            .toList());
        }

        private static void line(StringBuilder text, String key, String value) {
            text.append(String.format("%-14s %s%n", key, value));
        }
    }
}
