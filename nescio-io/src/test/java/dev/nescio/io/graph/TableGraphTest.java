// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.location.GraphLocations;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class TableGraphTest {

    private static final String NODES = """
            id,age,country,label,split
            ann,20,CH,good,train
            bob,,DE,bad,train
            "c,d",40,CH,good,validation
            dora,60,,,test
            """;
    private static final String EDGES = """
            source,target,amount
            ann,bob,3
            bob,"c,d",4
            dora,ann,1
            ann,ann,1
            """;

    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Graph graph() throws IOException {
        return TableGraph.read(file("nodes.csv", NODES), file("edges.csv", EDGES));
    }

    /** The default of an edge's weight became a column of nodes; hexadecimal text became a number. */
    @Test
    void defaultsOfEdgesAreNotOfNodesAndHexadecimalIsText() throws IOException {
        Path file = file("e.graphml", """
                <graphml>
                  <key id="a" for="node" attr.name="weight" attr.type="string"/>
                  <key id="b" for="edge" attr.name="weight" attr.type="double"><default>7</default></key>
                  <graph edgedefault="undirected">
                    <node id="x"><data key="a">0x1p3</data></node>
                    <node id="y"><data key="a">0x1p4</data></node>
                    <node id="z"/>
                    <data key="a">of the graph</data>
                    <edge source="x" target="y"/>
                  </graph>
                </graphml>
                """);
        Graph graph = GraphLocations.read(GraphLocation.Request.of(file.toString()));
        assertThat(graph.featureNames()).containsExactly("weight=0x1p3", "weight=0x1p4");
        assertThat(graph.features().get(2, 0)).isZero();
    }

    @Test
    void readsIdsLabelsFeaturesAndSplit() throws IOException {
        Graph graph = graph();

        assertThat(graph.nodes()).isEqualTo(4);
        assertThat(graph.ids().name(2)).isEqualTo("c,d");
        assertThat(graph.classes()).containsExactly("bad", "good");
        assertThat(graph.labels()).containsExactly(1, 0, 1, Graph.UNLABELLED);
        assertThat(graph.adjacency().edges()).isEqualTo(6);
        assertThat(graph.notes().selfLoopsDropped()).isEqualTo(1);
        assertThat(graph.split("split").validation().toArray()).containsExactly(2);
        assertThat(graph.featureNames()).containsExactly("age", "country=CH", "country=DE");
        double deviation = Math.sqrt(800 / 3.0);
        assertThat((double) graph.features().get(0, 0)).isCloseTo(-20 / deviation, within(1e-6));
        assertThat(graph.features().get(1, 0)).as("missing is the mean").isZero();
        assertThat(graph.features().get(2, 1)).isEqualTo(1);
        assertThat(graph.features().get(3, 1) + graph.features().get(3, 2)).isZero();
    }

    @Test
    void columnsCanBeNamed() throws IOException {
        Graph graph = TableGraph.read(
                file("nodes.csv", NODES),
                file("edges.csv", EDGES),
                TableLayout.defaults()
                        .with()
                        .label("country")
                        .features(List.of("a*"))
                        .build());

        assertThat(graph.classes()).containsExactly("CH", "DE");
        assertThat(graph.featureNames()).containsExactly("age");
    }

    @Test
    void aLaterTableMeansTheSame() throws IOException {
        TableSchema schema = graph().schema();
        List<String> notes = new ArrayList<>();
        Graph later = TableGraph.reader(TableLayout.defaults(), schema, notes::add)
                .tables(
                        file("more.csv", "country,id,extra,age\nFR,x,9,40\nDE,y,9,\n"),
                        file("more-edges.csv", "source,target\nx,y\n"));

        assertThat(later.featureNames()).containsExactly("age", "country=CH", "country=DE");
        assertThat(later.features().get(0, 0))
                .isEqualTo(schema.columns().get(0).numbers().get(0).apply(40));
        assertThat(later.features().get(0, 1) + later.features().get(0, 2)).isZero();
        assertThat(later.features().get(1, 2)).isEqualTo(1);
        assertThat(notes)
                .anyMatch(note -> note.endsWith("column 'country': 1 values are none of the 2 known ones"))
                .anyMatch(note -> note.endsWith("column 'age': 1 values are missing"));
        assertThatThrownBy(() -> TableGraph.reader(TableLayout.defaults(), schema, TableGraph.Listener.NONE)
                        .tables(file("less.csv", "id,age\nx,1\n"), folder.resolve("more-edges.csv")))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith(
                        "less.csv has no column 'country', which the detector was trained on; it has id, age");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "bob,,DE|ann,,DE|nodes.csv, line 3, column 'id': 'ann' is the id of an earlier node already",
                "bob,,DE|,,DE|nodes.csv, line 3, column 'id': nothing is no id",
                "bob,,DE,bad,train|bob,,DE,bad,often|nodes.csv, line 3, column 'split': 'often' is none of train, validation, test and empty",
                "bob,,DE,bad|bob,,DE|nodes.csv, line 3 has 4 fields, but there are 5 columns",
                "bob,,DE|bob,1e99,DE|nodes.csv, line 3, column 'age': '1e99' is too large: features must be finite",
                "id,age|id,id|nodes.csv, line 1: two columns are called 'id'",
            })
    void aWrongFieldIsNamed(String right, String wrong, String message) throws IOException {
        Path nodes = file("nodes.csv", NODES.replace(right, wrong));
        Path edges = file("edges.csv", EDGES);

        assertThatThrownBy(() -> TableGraph.read(nodes, edges))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith(message);
    }

    /** Text among the first rows makes a category; far below, it is a mistake. */
    @Test
    void textAmongNumbersIsNamed() throws IOException {
        StringBuilder rows = new StringBuilder("id,age\n");
        for (int i = 0; i < 1500; i++) {
            rows.append(i).append(",").append(i == 1400 ? "old" : i).append("\n");
        }
        Path nodes = file("nodes.csv", rows.toString());
        Path edges = file("edges.csv", "source,target\n1,2\n");

        assertThatThrownBy(() -> TableGraph.read(nodes, edges))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith("nodes.csv, line 1402, column 'age': 'old' is not a number");
    }

    /** Replaced by question marks, caf\u00e9 and caf\u00e8 would be one class. */
    @Test
    void textThatIsNotUtf8IsRefusedWithItsLine() throws IOException {
        Path nodes = Files.write(
                folder.resolve("latin.csv"),
                "id,x,label\na,1,caf\u00e8\nb,2,caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        Path packed = folder.resolve("latin.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(Files.readAllBytes(nodes));
        }
        Path edges = file("edges.csv", "source,target\na,b\n");

        for (Path file : new Path[] {nodes, packed}) {
            assertThatThrownBy(() -> TableGraph.read(file, edges))
                    .isInstanceOf(BadInput.class)
                    .hasMessage(file + ", line 2: it is not text in UTF-8; convert the file first, for example with"
                            + " 'iconv -f latin1 -t utf-8'");
        }
    }

    /** 13 % of a column were 'inf' or '-': it became 88 features without a word. */
    @Test
    void numbersDoNotBecomeCategoriesInSilence() throws IOException {
        StringBuilder nodes = new StringBuilder("id,amount,code,label\n");
        for (int i = 0; i < 100; i++) {
            nodes.append("n" + i + "," + (i % 8 == 3 ? "-" : i) + "," + (i % 3 == 0 ? i % 5 : "c" + i % 7) + ","
                            + i % 2)
                    .append('\n');
        }
        Path edges = file("edges.csv", "source,target\nn1,n2\n");
        Path mixed = file("nodes.csv", nodes.toString());
        assertThatThrownBy(() -> TableGraph.read(mixed, edges))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("line 5")
                .hasMessageContaining("is not a number, though 87 % of the column are; --categorical amount treats");
        Path mended = file("nodes.csv", nodes.toString().replace(",-,", ",,"));
        List<String> notes = new ArrayList<>();
        Graph graph =
                TableGraph.reader(TableLayout.defaults(), null, notes::add).tables(mended, edges);

        assertThat(graph.featureNames()).contains("amount", "code=c1", "code=0");
        assertThat(notes)
                .anyMatch(note -> note.startsWith(
                        "column 'code' holds numbers in 34 % of its fields and texts in the others, such as"
                                + " 'c1' in line 3: it is treated as categories"));
    }

    @Test
    void anEdgeToNobodyIsNamedOrDropped() throws IOException {
        Path nodes = file("nodes.csv", NODES);
        Path edges = file("edges.csv", EDGES.replace("dora,ann", "dora,zoe"));

        assertThatThrownBy(() -> TableGraph.read(nodes, edges))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith(
                        "edges.csv, line 4, column 'target': 'zoe' is not the id of a node; --drop-dangling leaves such edges out");
        TableLayout d = TableLayout.defaults();
        TableLayout drop = new TableLayout(
                d.id(),
                d.label(),
                d.split(),
                d.features(),
                d.ignored(),
                d.categorical(),
                d.missing(),
                d.standardise(),
                d.source(),
                d.target(),
                true,
                true);
        Graph graph = TableGraph.read(nodes, edges, drop);
        assertThat(graph.adjacency().neighbours()).as("directed: who is heard").containsExactly(0, 1);
    }

    @Test
    void parquetSaysTheSameAsCsv() throws IOException, SQLException {
        Graph csv = graph();
        Path nodes = folder.resolve("n'odes.parquet");
        Path edges = folder.resolve("edges.parquet");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("COPY (SELECT * FROM read_csv('" + folder.resolve("nodes.csv") + "')) TO '"
                    + nodes.toString().replace("'", "''") + "' (FORMAT parquet)");
            statement.execute("COPY (SELECT * FROM read_csv('" + folder.resolve("edges.csv") + "')) TO '" + edges
                    + "' (FORMAT parquet)");
        }
        Graph parquet = TableGraph.read(nodes, edges);

        assertThat(parquet.schema()).isEqualTo(csv.schema());
        assertThat(parquet.labels()).isEqualTo(csv.labels());
        assertThat(parquet.adjacency().neighbours()).isEqualTo(csv.adjacency().neighbours());
        assertThat(parquet.features().get(2, 0)).isEqualTo(csv.features().get(2, 0));
        Path broken = file("broken.parquet", "PAR1 nothing PAR1");
        assertThatThrownBy(() -> TableGraph.read(broken, edges))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("broken.parquet is not a Parquet file or is damaged");
    }

    @Test
    void writtenTablesAreTheSameGraph() {
        Graph graph = BuiltinGraphs.make("blocks?nodes=200");
        TableFiles.write(graph, folder.resolve("blocks"));
        TableLayout d = TableLayout.defaults();
        TableLayout raw = new TableLayout(
                null,
                null,
                null,
                d.features(),
                d.ignored(),
                d.categorical(),
                d.missing(),
                false,
                null,
                null,
                false,
                false);
        Graph back = GraphLocations.read(new GraphLocation.Request(
                folder.resolve("blocks").toString(), null, raw, null, TableGraph.Listener.NONE));

        assertThat(back.name()).isEqualTo("blocks");
        assertThat(back.adjacency().neighbours()).isEqualTo(graph.adjacency().neighbours());
        assertThat(back.labels()).isEqualTo(graph.labels());
        assertThat(back.features().get(7, 3)).isEqualTo(graph.features().get(7, 3));
        assertThat(back.split("split").test()).isEqualTo(graph.split("0").test());
    }

    @Test
    void foldersOfDgl() throws IOException {
        file("dgl/meta.yaml", """
                dataset_name: mini
                node_data:
                - file_name: nodes.csv
                edge_data:
                - file_name: edges.csv
                """);
        file("dgl/nodes.csv", """
                node_id,label,train_mask,val_mask,test_mask,feat
                0,1,True,False,False,"0.5, 1.5, 2"
                1,0,False,True,False,"0.25, 0, 1"
                2,1,False,False,True,"1, 1, 1"
                """);
        file("dgl/edges.csv", "src_id,dst_id,weight\n0,1,0.5\n1,2,0.5\n");
        Graph graph = GraphLocations.read(
                GraphLocation.Request.of(folder.resolve("dgl").toString()));

        assertThat(graph.name()).isEqualTo("mini");
        assertThat(graph.featureNames()).containsExactly("feat[0]", "feat[1]", "feat[2]");
        assertThat(graph.split("masks").test().toArray()).containsExactly(2);
        assertThat(graph.adjacency().edges()).isEqualTo(4);

        file("dgl/meta.yaml", "node_data: [{file_name: ../../nodes.csv}]\nedge_data: [{file_name: edges.csv}]\n");
        assertThatThrownBy(() -> GraphLocations.read(
                        GraphLocation.Request.of(folder.resolve("dgl").toString())))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'../../nodes.csv' lies outside of");

        // The second of two equal keys would win without a word.
        file("dgl/meta.yaml", "dataset_name: a\ndataset_name: b\n");
        assertThatThrownBy(() -> GraphLocations.read(
                        GraphLocation.Request.of(folder.resolve("dgl").toString())))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("meta.yaml, line 2 is not YAML: Duplicate");
    }

    @Test
    void foldersOfOgb() throws IOException {
        gz("ogb/raw/node-feat.csv.gz", "0.5,1\n2,3\n4,5\n");
        gz("ogb/raw/node-label.csv.gz", "1\n0\nnan\n");
        gz("ogb/raw/edge.csv.gz", "0,1\n1,2\n");
        gz("ogb/split/time/train.csv.gz", "0\n");
        gz("ogb/split/time/valid.csv.gz", "1\n");
        gz("ogb/split/time/test.csv.gz", "2\n");
        Graph graph = GraphLocations.read(
                GraphLocation.Request.of(folder.resolve("ogb").toString()));

        assertThat(graph.features().get(2, 1)).isEqualTo(5);
        assertThat(graph.labels()).containsExactly(1, 0, Graph.UNLABELLED);
        assertThat(graph.split("time").test().toArray()).containsExactly(2);
        gz("ogb/raw/edge.csv.gz", "0,1\n1,9\n");
        assertThatThrownBy(() -> GraphLocations.read(
                        GraphLocation.Request.of(folder.resolve("ogb").toString())))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("edge.csv.gz: edge 1 joins node 1 and node 9");
    }

    private void gz(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void graphMl() throws IOException {
        Path file = file("g.graphml", """
                <?xml version="1.0"?>
                <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
                  <key id="d0" for="node" attr.name="label" attr.type="string"/>
                  <key id="d1" for="node" attr.name="size" attr.type="double"><default>2</default></key>
                  <graph edgedefault="undirected">
                    <node id="a"><data key="d0">x</data><data key="d1">4</data></node>
                    <node id="b"><data key="d0">y</data></node>
                    <edge source="a" target="b"/>
                  </graph>
                </graphml>
                """);
        Graph graph = GraphLocations.read(GraphLocation.Request.of(file.toString()));

        assertThat(graph.classes()).containsExactly("x", "y");
        assertThat(graph.featureNames()).containsExactly("size");
        assertThat(graph.features().get(0, 0)).isEqualTo(1);
        assertThat(graph.features().get(1, 0)).isEqualTo(-1);
        Path bomb = file(
                "bomb.graphml",
                "<!DOCTYPE g [<!ENTITY a \"aaaa\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]><graphml><graph><node id=\"&f;\"/></graph></graphml>");
        assertThatThrownBy(() -> GraphLocations.read(GraphLocation.Request.of(bomb.toString())))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("bomb.graphml, line 1 is not GraphML or is damaged");
    }

    /** Numbers were rounded to float before they were scaled: 200 Unix times became 17 features. */
    @Test
    void largeNumbersKeepTheirDifferences() throws IOException {
        StringBuilder text = new StringBuilder("id,label,time\n");
        for (int i = 0; i < 200; i++) {
            text.append(i)
                    .append(",")
                    .append(i % 2)
                    .append(",")
                    .append(1_700_000_000L + 10L * i)
                    .append("\n");
        }
        Graph graph = TableGraph.read(file("times.csv", text.toString()), file("links.csv", "source,target\n0,1\n"));

        assertThat(IntStream.range(0, 200)
                        .mapToObj(v -> graph.features().get(v, 0))
                        .distinct())
                .hasSize(200);
    }
}
