// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Utf8;
import dev.nescio.io.table.RowsTable;
import dev.nescio.problem.BadInput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** GraphML: the data of nodes become columns under the names of their keys. No entity is ever resolved. */
public final class GraphMl implements GraphLocation {

    private static final String ID = "id";
    private static final int LONGEST_DECLARATION = 200;
    private static final Pattern ENCODING =
            Pattern.compile("^<\\?xml[^>]{0,99}encoding=[\"']([A-Za-z][\\w.:-]{0,30})[\"']");

    private final Map<String, String> keyNames = new HashMap<>();
    private final Map<String, String> keyDefaults = new HashMap<>();
    private final List<Map<String, String>> nodes = new ArrayList<>();
    private final List<Map<String, String>> edges = new ArrayList<>();
    private final Set<String> nodeColumns = new LinkedHashSet<>(List.of(ID));

    /** A reader of {@code .graphml} files; it keeps nothing between one file and the next. */
    public GraphMl() {}

    @Override
    public String form() {
        return "FILE.graphml";
    }

    @Override
    public String summary() {
        return "GraphML: the data of nodes become columns";
    }

    @Override
    public boolean matches(Request request) {
        return request.place().endsWith(".graphml");
    }

    @Override
    public boolean hasColumns() {
        return true;
    }

    @Override
    public Graph read(Request request) {
        Path file = request.path();
        GraphMl graph = new GraphMl();
        try (Reader in = strictly(file)) {
            XMLInputFactory factory = XMLInputFactory.newFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            factory.setProperty(XMLInputFactory.IS_COALESCING, true);
            graph.parse(factory.createXMLStreamReader(new BufferedReader(in, 1 << 16)));
        } catch (MissingResourceException e) {
            // The parser has no words for some kinds of damage.
            throw new BadInput(file + " is not GraphML or is damaged", e);
        } catch (XMLStreamException e) {
            if (e.getNestedException() instanceof CharacterCodingException bytes) {
                throw notText(file, bytes);
            }
            // The library repeats the place in its own words.
            String reason = String.valueOf(e.getMessage())
                    .replaceFirst("(?s)^.*?Message: ", "")
                    .replaceAll("\\s+", " ");
            int line = e.getLocation() == null ? -1 : e.getLocation().getLineNumber();
            throw new BadInput(
                    file + (line < 0 ? "" : ", line " + line) + " is not GraphML or is damaged: " + reason, e);
        } catch (CharacterCodingException e) {
            throw notText(file, e);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
        if (graph.nodes.isEmpty()) {
            throw new BadInput(file + " has no nodes");
        }
        return request.tables()
                .build(
                        TableGraph.name(file),
                        () -> new RowsTable(file + " (nodes)", List.copyOf(graph.nodeColumns), graph.nodes),
                        () -> new RowsTable(file + " (edges)", List.of("source", "target"), graph.edges));
    }

    /** Refuses bytes that are no text: replaced by question marks, two names could become one. */
    private static Reader strictly(Path file) throws IOException {
        return new InputStreamReader(
                Files.newInputStream(file),
                charset(file)
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
    }

    private static BadInput notText(Path file, CharacterCodingException cause) {
        return Utf8.problem(file, () -> Files.newInputStream(file), cause);
    }

    /** What the first line says, UTF-8 where it says nothing. The parser itself would write about bad bytes to stderr. */
    private static Charset charset(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String begin = new String(in.readNBytes(LONGEST_DECLARATION), StandardCharsets.ISO_8859_1);
            Matcher declared = ENCODING.matcher(begin);
            return declared.find() && Charset.isSupported(declared.group(1))
                    ? Charset.forName(declared.group(1))
                    : StandardCharsets.UTF_8;
        }
    }

    private void parse(XMLStreamReader xml) throws XMLStreamException {
        Map<String, String> current = new HashMap<>();
        String key = "";
        boolean isOfNodes = true;
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("node")) {
                // What follows belongs to the graph.
                current = new HashMap<>();
            }
            if (event != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "key" -> {
                    key = attribute(xml, "id");
                    String name = xml.getAttributeValue(null, "attr.name");
                    String owner = xml.getAttributeValue(null, "for");
                    keyNames.put(key, name == null ? key : name);
                    isOfNodes = owner == null || owner.equals("node") || owner.equals("all");
                }
                case "default" -> {
                    if (isOfNodes) {
                        keyDefaults.put(key, xml.getElementText());
                    }
                }
                case "node" -> {
                    current = new LinkedHashMap<>();
                    current.put(ID, attribute(xml, "id"));
                    nodes.add(current);
                }
                case "edge" -> {
                    current = new HashMap<>();
                    current.put("source", attribute(xml, "source"));
                    current.put("target", attribute(xml, "target"));
                    edges.add(current);
                    current = new HashMap<>();
                }
                case "data" -> {
                    String column = keyNames.getOrDefault(attribute(xml, "key"), attribute(xml, "key"));
                    current.put(column.equals(ID) ? "id (data)" : column, xml.getElementText());
                    if (!nodes.isEmpty() && nodes.get(nodes.size() - 1) == current) {
                        nodeColumns.addAll(current.keySet());
                    }
                }
                default -> {}
            }
        }
        for (Map<String, String> node : nodes) {
            keyDefaults.forEach((id, value) -> {
                if (nodeColumns.contains(keyNames.get(id))) {
                    node.putIfAbsent(keyNames.get(id), value);
                }
            });
        }
    }

    private static String attribute(XMLStreamReader xml, String name) throws XMLStreamException {
        String value = xml.getAttributeValue(null, name);
        if (value == null) {
            throw new XMLStreamException("<" + xml.getLocalName() + "> has no " + name, xml.getLocation());
        }
        return value;
    }
}
