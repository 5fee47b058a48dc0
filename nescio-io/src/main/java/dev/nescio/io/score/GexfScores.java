// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.graph.Graph;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

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
    void write(List<Attribute> attributes, Graph graph, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartElement("gexf");
        xml.writeDefaultNamespace("http://gexf.net/1.3");
        xml.writeAttribute("version", "1.3");
        xml.writeStartElement("graph");
        xml.writeAttribute("defaultedgetype", isUndirected(graph) ? "undirected" : "directed");
        xml.writeStartElement("attributes");
        xml.writeAttribute("class", "node");
        for (Attribute attribute : attributes) {
            xml.writeEmptyElement("attribute");
            xml.writeAttribute("id", attribute.id());
            xml.writeAttribute("title", valid(attribute.name()));
            xml.writeAttribute("type", attribute.type());
        }
        xml.writeEndElement();
        xml.writeStartElement("nodes");
        for (int i = 0; i < graph.nodes(); i++) {
            String id = valid(graph.ids().name(i));
            xml.writeStartElement("node");
            xml.writeAttribute("id", id);
            xml.writeAttribute("label", id);
            xml.writeStartElement("attvalues");
            for (Attribute attribute : attributes) {
                Object value = attribute.values().apply(i);
                if (value != null) {
                    xml.writeEmptyElement("attvalue");
                    xml.writeAttribute("for", attribute.id());
                    xml.writeAttribute("value", valid(CsvScores.text(value)));
                }
            }
            xml.writeEndElement();
            xml.writeEndElement();
            xml.writeCharacters("\n");
        }
        xml.writeEndElement();
        xml.writeStartElement("edges");
        forEachEdge(graph, (number, from, to) -> {
            xml.writeEmptyElement("edge");
            xml.writeAttribute("id", Integer.toString(number));
            xml.writeAttribute("source", from);
            xml.writeAttribute("target", to);
            xml.writeCharacters("\n");
        });
        xml.writeEndElement();
        xml.writeEndElement();
        xml.writeEndElement();
    }
}
