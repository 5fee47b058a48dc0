// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.graph.Graph;
import java.io.IOException;
import java.util.List;

/** The graph with its scores as GraphML, which yEd, Cytoscape, igraph and NetworkX read. */
public final class GraphMlScores extends GraphXml {

    @Override
    public String summary() {
        return "the graph with scores on its nodes, for yEd, Cytoscape, igraph, NetworkX";
    }

    @Override
    public List<String> endings() {
        return List.of(".graphml");
    }

    @Override
    void write(List<Attribute> attributes, Graph graph, XmlText xml) throws IOException {
        xml.start("graphml");
        xml.attribute("xmlns", "http://graphml.graphdrawing.org/xmlns");
        for (Attribute attribute : attributes) {
            xml.start("key");
            xml.attribute("id", attribute.id());
            xml.attribute("for", "node");
            xml.attribute("attr.name", valid(attribute.name()));
            xml.attribute("attr.type", attribute.type());
            xml.end();
        }
        xml.start("graph");
        xml.attribute("id", "G");
        xml.attribute("edgedefault", isUndirected(graph) ? "undirected" : "directed");
        for (int i = 0; i < graph.nodes(); i++) {
            xml.start("node");
            xml.attribute("id", id(graph, i));
            for (Attribute attribute : attributes) {
                Object value = attribute.values().apply(i);
                if (value != null) {
                    xml.start("data");
                    xml.attribute("key", attribute.id());
                    xml.text(valid(CsvScores.text(value)));
                    xml.end();
                }
            }
            xml.end();
            xml.text("\n");
        }
        forEachEdge(graph, (number, from, to) -> {
            xml.start("edge");
            xml.attribute("source", from);
            xml.attribute("target", to);
            xml.end();
            xml.text("\n");
        });
        xml.end();
        xml.end();
    }
}
