// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.graph.Graph;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

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
    void write(List<Attribute> attributes, Graph graph, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartElement("graphml");
        xml.writeDefaultNamespace("http://graphml.graphdrawing.org/xmlns");
        for (Attribute attribute : attributes) {
            xml.writeEmptyElement("key");
            xml.writeAttribute("id", attribute.id());
            xml.writeAttribute("for", "node");
            xml.writeAttribute("attr.name", valid(attribute.name()));
            xml.writeAttribute("attr.type", attribute.type());
        }
        xml.writeStartElement("graph");
        xml.writeAttribute("id", "G");
        xml.writeAttribute("edgedefault", isUndirected(graph) ? "undirected" : "directed");
        for (int i = 0; i < graph.nodes(); i++) {
            xml.writeStartElement("node");
            xml.writeAttribute("id", valid(graph.ids().name(i)));
            for (Attribute attribute : attributes) {
                Object value = attribute.values().apply(i);
                if (value != null) {
                    xml.writeStartElement("data");
                    xml.writeAttribute("key", attribute.id());
                    xml.writeCharacters(valid(CsvScores.text(value)));
                    xml.writeEndElement();
                }
            }
            xml.writeEndElement();
            xml.writeCharacters("\n");
        }
        forEachEdge(graph, (number, from, to) -> {
            xml.writeEmptyElement("edge");
            xml.writeAttribute("source", from);
            xml.writeAttribute("target", to);
            xml.writeCharacters("\n");
        });
        xml.writeEndElement();
        xml.writeEndElement();
    }
}
