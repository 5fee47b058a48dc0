// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
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
            try {
                XMLStreamWriter xml =
                        XMLOutputFactory.newFactory().createXMLStreamWriter(out, StandardCharsets.UTF_8.name());
                xml.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
                write(attributes(table), graph, xml);
                xml.writeEndDocument();
                xml.flush();
            } catch (XMLStreamException e) {
                throw new IOException(e.getMessage(), e);
            }
        });
    }

    abstract void write(List<Attribute> attributes, Graph graph, XMLStreamWriter xml) throws XMLStreamException;

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
        void edge(int number, String from, String to) throws XMLStreamException;
    }

    static boolean isUndirected(Graph graph) {
        return graph.adjacency().isSymmetric();
    }

    static void forEachEdge(Graph graph, EachEdge each) throws XMLStreamException {
        Adjacency adjacency = graph.adjacency();
        boolean once = isUndirected(graph);
        int number = 0;
        for (int v = 0; v < graph.nodes(); v++) {
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                int from = adjacency.neighbours()[e];
                if (!once || from < v) {
                    each.edge(
                            number++,
                            valid(graph.ids().name(from)),
                            valid(graph.ids().name(v)));
                }
            }
        }
    }

    /** XML has no way to write some characters. */
    static String valid(String text) {
        return text.codePoints()
                .map(c -> c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF) ? c : 0xFFFD)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
