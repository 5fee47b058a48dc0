// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What the formats for drawing programs share: a graph with scores on its nodes, as XML. */
abstract class GraphXml implements ScoreFormat {

    /** A column of scores: what it is called, and whether it holds numbers, truth or text. */
    record Attribute(String id, String name, String type, IntFunction<@Nullable Object> values) {}

    @Override
    public final boolean needsGraph() {
        return true;
    }

    @Override
    public final void write(ScoreTable table, @Nullable Graph graph, Path file) {
        if (graph == null || graph.nodes() != table.rows()) {
            throw new BadConfiguration(file + ": a drawing needs the graph and the scores of all of its nodes");
        }
        AtomicFile.write(file, out -> {
            Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            write(attributes(table), graph, new XmlText(text));
            text.flush();
        });
    }

    abstract void write(List<Attribute> attributes, Graph graph, XmlText xml) throws IOException;

    private static List<Attribute> attributes(ScoreTable table) {
        List<Attribute> attributes = new ArrayList<>();
        for (Map.Entry<String, IntFunction<@Nullable Object>> column :
                table.columns().entrySet()) {
            String type =
                    switch (table.kind(column.getKey())) {
                        case NUMBER -> "double";
                        case TRUTH -> "boolean";
                        case TEXTS, TEXT -> "string";
                    };
            if (!column.getKey().equals("node")) {
                attributes.add(new Attribute("a" + attributes.size(), column.getKey(), type, column.getValue()));
            }
        }
        return attributes;
    }

    /** Is told every edge: once where messages go both ways. */
    interface EachEdge {
        void edge(int number, String from, String to) throws IOException;
    }

    static boolean isUndirected(Graph graph) {
        return graph.adjacency().isSymmetric();
    }

    static void forEachEdge(Graph graph, EachEdge each) throws IOException {
        Adjacency adjacency = graph.adjacency();
        boolean once = isUndirected(graph);
        int number = 0;
        for (int v = 0; v < graph.nodes(); v++) {
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                int from = adjacency.neighbours()[e];
                if (!once || from < v) {
                    each.edge(number++, id(graph, from), id(graph, v));
                }
            }
        }
    }

    /** The id of a node: another one, or that of another node, would be worse than none. */
    static String id(Graph graph, int node) {
        String id = graph.ids().name(node);
        if (!id.codePoints().allMatch(GraphXml::isAllowed)) {
            throw new BadInput("XML cannot hold the id '" + Nearest.shortened(id)
                    + "', which has a control character: write .csv, .json or .parquet");
        }
        return id;
    }

    /** A text with a mark in the place of what XML has no way to write. */
    static String valid(String text) {
        return text.codePoints()
                .map(c -> isAllowed(c) ? c : 0xFFFD)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isAllowed(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || (c >= 0x20 && c < Character.MIN_SURROGATE)
                || (c > Character.MAX_SURROGATE && c != 0xFFFE && c != 0xFFFF);
    }
}
