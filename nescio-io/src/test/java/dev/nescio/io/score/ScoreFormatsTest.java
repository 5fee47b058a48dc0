// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.io.table.TableFormats;
import dev.nescio.io.table.TableReader;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What every format must do, and what each of them writes. */
class ScoreFormatsTest {

    /** With a quote, another language's letters, a comma, markup, and a tab and a line break that attributes of XML would lose. */
    private static final List<String> IDS = List.of("K'1", "Größe \"2\", ok", "<b>&\t\n", "=4");

    @TempDir
    Path folder;

    private final Graph graph = Graph.builder(
                    "g",
                    Adjacency.undirected(4, new int[] {0, 1, 2}, new int[] {1, 2, 3})
                            .adjacency())
            .ids(NodeIds.named(IDS))
            .build();

    private static ScoreTable table() {
        Map<String, IntFunction<Object>> columns = new LinkedHashMap<>();
        columns.put("node", IDS::get);
        columns.put("predicted", i -> i % 2 == 0 ? "ja" : "nein");
        columns.put("epistemic", i -> 0.5 * i);
        columns.put("p_value", i -> i < 2 ? null : 0.25);
        columns.put("flagged", i -> i == 3);
        columns.put("labels", i -> i == 0 ? List.of() : i == 1 ? List.of("ja", "nein") : List.of("ja"));
        return new ScoreTable(4, columns);
    }

    /** Two ids that differ in what XML cannot hold would become one node. */
    @ParameterizedTest
    @ValueSource(strings = {".graphml", ".gexf"})
    void idsThatXmlCannotHoldAreRefused(String ending) {
        Graph strange = graph.with()
                .ids(NodeIds.named(List.of("x\u0001", "x\u0002", "c", "d")))
                .build();
        Path file = folder.resolve("strange" + ending);
        assertThatThrownBy(() -> ScoreFormats.of(file).write(table(), strange, file))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("XML cannot hold the id 'x");
        assertThat(file).doesNotExist();
    }

    static Stream<String> endings() {
        return ScoreFormats.all().stream().flatMap(format -> format.endings().stream());
    }

    @ParameterizedTest
    @MethodSource("endings")
    void everyFormatIsFoundByItsEndingAndWritesTheSameBytesTwice(String ending) throws IOException {
        Path first = folder.resolve("first" + ending);
        Path second = folder.resolve("second" + ending.toUpperCase(java.util.Locale.ROOT));
        ScoreFormats.of(first).write(table(), graph, first);
        ScoreFormats.of(second).write(table(), graph, second);

        assertThat(Files.size(first)).isPositive();
        assertThat(ScoreFormats.of(first).summary()).isNotBlank();
        assertThat(first).hasSameBinaryContentAs(second);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".csv", ".csv.gz", ".parquet", ".ndjson"})
    void tablesAreReadBack(String ending) {
        Path file = folder.resolve("s" + ending);
        ScoreFormats.of(file).write(table(), null, file);

        List<String> ids = new ArrayList<>();
        try (TableReader reader = TableFormats.open(file, Progress.NONE)) {
            assertThat(reader.columns())
                    .containsExactly("node", "predicted", "epistemic", "p_value", "flagged", "labels");
            while (reader.next()) {
                ids.add(reader.text(0));
                assertThat(reader.number(2)).isEqualTo(0.5 * (ids.size() - 1));
                assertThat(Double.isNaN(reader.number(3))).isEqualTo(ids.size() <= 2);
                assertThat(reader.text(4)).isEqualTo(ids.size() == 4 ? "true" : "false");
            }
        }
        assertThat(ids).isEqualTo(IDS);
    }

    @Test
    void jsonIsOneArray() throws IOException {
        Path file = folder.resolve("s.json");
        ScoreFormats.of(file).write(table(), null, file);

        JsonNode rows = JsonMapper.builder().build().readTree(Files.readAllBytes(file));
        assertThat(rows.size()).isEqualTo(4);
        assertThat(rows.get(1).path("node").asString()).isEqualTo(IDS.get(1));
        assertThat(rows.get(1).path("p_value").isNull()).isTrue();
        assertThat(rows.get(1).path("labels").size()).isEqualTo(2);
        Path empty = folder.resolve("e.json");
        ScoreFormats.of(empty).write(new ScoreTable(0, table().columns()), null, empty);
        assertThat(Files.readString(empty)).isEqualTo("[]\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {".graphml", ".gexf"})
    void drawingsHoldNodesAndEveryEdgeOnce(String ending) throws Exception {
        Path file = folder.resolve("s" + ending);
        ScoreFormats.of(file).write(table(), graph, file);

        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        assertThat(document.getElementsByTagName("node").getLength()).isEqualTo(4);
        assertThat(document.getElementsByTagName("edge").getLength()).isEqualTo(3);
        assertThat(((Element) document.getElementsByTagName("node").item(1)).getAttribute("id"))
                .isEqualTo(IDS.get(1));
        assertThat(((Element) document.getElementsByTagName("node").item(2)).getAttribute("id"))
                .isEqualTo(IDS.get(2));
        assertThatThrownBy(() -> ScoreFormats.of(file).write(table(), null, file))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("a drawing needs the graph");
    }

    @Test
    void unknownEndingsAreRefused() {
        for (String name : List.of("scores.xlsx", "scores", "scores.parquet.gz")) {
            assertThatThrownBy(() -> ScoreFormats.of(folder.resolve(name)))
                    .isInstanceOf(BadConfiguration.class)
                    .hasMessageContaining("scores are written to files that end in .csv, .csv.gz, .parquet");
        }
    }

    @Test
    void formulasAreMarkedOnRequest() {
        ScoreTable marked = table().forSpreadsheets();

        assertThat(marked.row(3)).containsEntry("node", "'=4").containsEntry("epistemic", 1.5);
        assertThat(marked.row(0)).containsEntry("node", "K'1");
    }
}
