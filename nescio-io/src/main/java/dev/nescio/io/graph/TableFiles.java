// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.io.file.AtomicFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Writes a graph as tables, the inverse of {@link TableGraph}. */
public final class TableFiles {

    private TableFiles() {}

    /** {@code nodes.csv} with ids, labels, the first split and features, and {@code edges.csv} with every edge once. */
    public static void write(Graph graph, Path folder) {
        AtomicFile.write(folder.resolve("nodes.csv"), out -> {
            CsvWriter csv = CsvWriter.builder().build(new OutputStreamWriter(out, StandardCharsets.UTF_8));
            nodes(graph, csv);
            csv.flush();
        });
        AtomicFile.write(folder.resolve("edges.csv"), out -> {
            CsvWriter csv = CsvWriter.builder().build(new OutputStreamWriter(out, StandardCharsets.UTF_8));
            edges(graph, csv);
            csv.flush();
        });
    }

    private static void nodes(Graph graph, CsvWriter csv) throws IOException {
        Split split = graph.splits().isEmpty()
                ? null
                : graph.splits().values().iterator().next();
        List<String> header = new ArrayList<>(List.of("id", "label"));
        if (split != null) {
            header.add("split");
        }
        if (graph.schema() == null) {
            IntStream.range(0, graph.features().columns()).forEach(i -> header.add("f" + i));
        } else {
            header.addAll(graph.featureNames());
        }
        csv.writeRecord(header);
        for (int v = 0; v < graph.nodes(); v++) {
            List<String> row = new ArrayList<>();
            row.add(graph.ids().name(v));
            row.add(graph.label(v) < 0 ? "" : graph.classes().get(graph.label(v)));
            if (split != null) {
                row.add(part(split, v));
            }
            for (int i = 0; i < graph.features().columns(); i++) {
                row.add(Float.toString(graph.features().get(v, i)));
            }
            csv.writeRecord(row);
        }
    }

    private static String part(Split split, int node) {
        if (split.train().contains(node)) {
            return "train";
        }
        if (split.validation().contains(node)) {
            return "validation";
        }
        return split.test().contains(node) ? "test" : "";
    }

    private static void edges(Graph graph, CsvWriter csv) throws IOException {
        csv.writeRecord("source", "target");
        Adjacency adjacency = graph.adjacency();
        boolean once = adjacency.isSymmetric();
        for (int v = 0; v < graph.nodes(); v++) {
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                int sender = adjacency.neighbours()[e];
                if (!once || sender < v) {
                    csv.writeRecord(graph.ids().name(sender), graph.ids().name(v));
                }
            }
        }
    }
}
