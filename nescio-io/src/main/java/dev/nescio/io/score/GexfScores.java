// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.graph.Graph;
import java.io.IOException;
import java.util.List;

/** The graph with its scores as GEXF, which Gephi reads. */
public final class GexfScores extends GraphXml {

    @Override
    public String summary() {
        return "the graph with scores on its nodes, for Gephi";
    }

    @Override
    public List<String> endings() {
        return List.of(".gexf");
    }

    @Override
    void write(List<Attribute> attributes, Graph graph, XmlText xml) throws IOException {
        xml.start("gexf");
        xml.attribute("xmlns", "http://gexf.net/1.3");
        xml.attribute("version", "1.3");
        xml.start("graph");
        xml.attribute("defaultedgetype", isUndirected(graph) ? "undirected" : "directed");
        xml.start("attributes");
        xml.attribute("class", "node");
        for (Attribute attribute : attributes) {
            xml.start("attribute");
            xml.attribute("id", attribute.id());
            xml.attribute("title", valid(attribute.name()));
            xml.attribute("type", attribute.type());
            xml.end();
        }
        xml.end();
        xml.start("nodes");
        for (int i = 0; i < graph.nodes(); i++) {
            String id = id(graph, i);
            xml.start("node");
            xml.attribute("id", id);
            xml.attribute("label", id);
            xml.start("attvalues");
            for (Attribute attribute : attributes) {
                Object value = attribute.values().apply(i);
                if (value != null) {
                    xml.start("attvalue");
                    xml.attribute("for", attribute.id());
                    xml.attribute("value", valid(CsvScores.text(value)));
                    xml.end();
                }
            }
            xml.end();
            xml.end();
            xml.text("\n");
        }
        xml.end();
        xml.start("edges");
        forEachEdge(graph, (number, from, to) -> {
            xml.start("edge");
            xml.attribute("id", Integer.toString(number));
            xml.attribute("source", from);
            xml.attribute("target", to);
            xml.end();
            xml.text("\n");
        });
        xml.end();
        xml.end();
        xml.end();
    }
}
