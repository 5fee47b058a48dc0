// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.io.location.GraphLocations;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedGraphMlTest {

    private static final String GRAPH = """
            <graphml><key id="f" for="node" attr.name="f" attr.type="double"/><graph edgedefault="undirected">
            <node id="café"><data key="f">1</data></node><node id="cafè"><data key="f">2</data></node>
            <edge source="café" target="cafè"/></graph></graphml>
            """;

    @TempDir
    Path folder;

    private Path write(String text, Charset charset) throws IOException {
        return Files.write(folder.resolve("g.graphml"), text.getBytes(charset));
    }

    private static Graph read(Path file) {
        return GraphLocations.read(GraphLocation.Request.of(file.toString()));
    }

    /** The library throws an exception about its own missing message. */
    @Test
    void aControlCharacterInADocumentTypeIsRefusedInASentence() throws IOException {
        Path file =
                write("<?xml version=\"1.0\"?><!DOCTYPE g [<!ENTITY a \"\u0001\">]><graphml/>", StandardCharsets.UTF_8);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(BadInput.class)
                .hasMessage(file + " is not GraphML or is damaged");
    }

    @Test
    void bytesThatAreNoTextAreRefusedWithTheirLine() throws IOException {
        Path file = write(GRAPH, StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(file + ", line 2: it is not text in UTF-8");
    }

    @Test
    void aDeclaredEncodingIsRead() throws IOException {
        Path file = write("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" + GRAPH, StandardCharsets.ISO_8859_1);
        assertThat(read(file).ids().name(0)).isEqualTo("café");
        assertThat(read(file).nodes()).isEqualTo(2);
    }
}
