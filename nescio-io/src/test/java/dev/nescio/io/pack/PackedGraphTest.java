// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TablePacker;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedGraphTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=9000&features=5");

    @TempDir
    Path folder;

    private Path pack(Graph graph) {
        Path file = folder.resolve("g.npk");
        PackWriter.write(file, BlockGraph.of(graph), graph.labels(), graph.classes(), graph.schema());
        return file;
    }

    private static void assertSame(BlockGraph packed, Graph graph) {
        BlockGraph expected = BlockGraph.of(graph);
        assertThat(packed.nodes()).isEqualTo(graph.nodes());
        assertThat(packed.edges()).isEqualTo(graph.adjacency().edges());
        for (int[] range : new int[][] {{0, graph.nodes()}, {0, 1}, {graph.nodes() - 1, 1}, {4000, 300}, {5, 8990}}) {
            if (range[0] + range[1] <= graph.nodes()) {
                assertThat(packed.links(range[0], range[1]).neighbours())
                        .isEqualTo(expected.links(range[0], range[1]).neighbours());
                assertThat(packed.ids(range[0], range[1])).isEqualTo(expected.ids(range[0], range[1]));
                for (int row = 0; row < range[1]; row += 97) {
                    for (int c = 0; c < packed.features(); c++) {
                        assertThat(packed.features(range[0] + row, 1).get(0, c))
                                .isEqualTo(graph.features().get(range[0] + row, c));
                    }
                }
            }
        }
    }

    /** No room is made for what cannot be there. */
    @Test
    void aFileThatClaimsToHoldMoreThanItsBytesIsRefused() {
        Path file = folder.resolve("claims.npk");
        PackWriter.write(file, writer -> {
            writer.features(DenseMatrix.of(new float[][] {{1, 2}}));
            writer.links(new BlockGraph.Links(new int[] {0, 0}, new int[0]));
            return new PackWriter.Summary("g", Layout.NODES, 2, 0, true, List.of(), null, "");
        });
        assertThatThrownBy(() -> PackedGraph.open(file))
                .isInstanceOf(BadInput.class)
                .hasMessage(
                        file
                                + " is not a packed graph or is damaged: a piece of DEGREES has 4 bytes, expected at least 16384");
    }

    @Test
    void comesBackAsItWas() {
        List<String> names = IntStream.range(0, GRAPH.nodes())
                .mapToObj(v -> "«" + v + "» \"" + (v % 7 == 0 ? "日本\n" : ""))
                .toList();
        Graph named = GRAPH.with().ids(NodeIds.named(names)).build();
        for (Graph graph : List.of(GRAPH, named)) {
            try (PackedGraph packed = PackedGraph.open(pack(graph))) {
                assertSame(packed, graph);
                assertThat(packed.labels()).isEqualTo(graph.labels());
                assertThat(Fingerprint.of(packed.toGraph()))
                        .isEqualTo(Fingerprint.of(Graph.builder(graph.name(), graph.adjacency())
                                .features(graph.features())
                                .labels(graph.labels(), graph.classes())
                                .ids(graph.ids())
                                .build()));
            }
        }
    }

    @Test
    void sparseFeaturesStaySparse() {
        float[] values = new float[300 * 40];
        for (int i = 0; i < values.length; i += 31) {
            values[i] = i;
        }
        Graph graph = Graph.builder("s", BuiltinGraphs.make("blocks?nodes=300").adjacency())
                .features(DenseMatrix.of(300, 40, values).toSparse())
                .build();
        try (PackedGraph packed = PackedGraph.open(pack(graph))) {
            assertThat(packed.features(10, 200)).isInstanceOf(SparseMatrix.class);
            assertSame(packed, graph);
        }
    }

    @Test
    void everyDamageIsSeen() throws IOException {
        Graph small = BuiltinGraphs.make("blocks?nodes=200&features=3");
        byte[] right = Files.readAllBytes(pack(small));
        Rng rng = new Seed(3).rng();
        int flips = Integer.getInteger("nescio.flips", 300);
        for (int i = 0; i < flips; i++) {
            byte[] wrong = right.clone();
            wrong[rng.nextInt(wrong.length)] ^= (byte) (1 << rng.nextInt(8));
            assertRefused(wrong);
        }
        for (int length : new int[] {0, 1, 8, 60, right.length / 2, right.length - 1}) {
            assertRefused(Arrays.copyOf(right, length));
        }
    }

    private void assertRefused(byte[] wrong) throws IOException {
        Path file = Files.write(folder.resolve("wrong.npk"), wrong);
        assertThatThrownBy(() -> {
                    try (PackedGraph packed = PackedGraph.open(file)) {
                        packed.toGraph();
                    }
                })
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("wrong.npk");
    }

    /** With right checksums, but nonsense inside. */
    @Test
    void nonsenseIsRefused() {
        Path file = folder.resolve("nonsense.npk");
        PackWriter.Content content = writer -> {
            writer.features(DenseMatrix.of(2, 1, new float[2]));
            writer.links(new BlockGraph.Links(new int[] {0, 1, 2}, new int[] {1, 7}));
            return new PackWriter.Summary("n", 2, 1, 2, true, List.of(), null, "");
        };
        PackWriter.write(file, content);
        try (PackedGraph packed = PackedGraph.open(file)) {
            assertThatThrownBy(() -> packed.links(0, 2)).hasMessageContaining("a neighbour that is not there");
        }
        PackWriter.write(file, writer -> {
            content.write(writer);
            return new PackWriter.Summary("n", 2, 1, 999, true, List.of(), null, "");
        });
        assertThatThrownBy(() -> PackedGraph.open(file)).hasMessageContaining("degrees or labels that cannot be");
        PackWriter.write(file, writer -> {
            content.write(writer);
            return new PackWriter.Summary("n", 2_000_000_000, 1, 2, true, List.of(), null, "");
        });
        assertThatThrownBy(() -> PackedGraph.open(file)).hasMessageContaining("pieces of DEGREES");
    }

    private Path tables(int nodes, long seed) throws IOException {
        Rng rng = new Seed(seed).rng();
        List<String> rows = new ArrayList<>(List.of("name,city,amount,label"));
        List<String> edges = new ArrayList<>(List.of("from,to"));
        for (int v = 0; v < nodes; v++) {
            rows.add("\"n, " + v + "\"," + (rng.nextInt(3) == 0 ? "" : "Łódź" + rng.nextInt(3)) + ","
                    + (rng.nextInt(9) == 0 ? "NA" : rng.nextInt(1000)) + ","
                    + (rng.nextInt(4) == 0 ? "" : rng.nextInt(2) == 0 ? "yes" : "no"));
            for (int e = 0; e < 3; e++) {
                edges.add("\"n, " + v + "\",\"n, " + rng.nextInt(nodes) + "\"");
            }
        }
        Files.write(folder.resolve("nodes.csv"), rows);
        Files.write(folder.resolve("edges.csv"), edges);
        return folder.resolve("t.npk");
    }

    private boolean packTables(Path target) {
        return packTables(NodeOrder.TABLE, target);
    }

    private boolean packTables(NodeOrder order, Path target) {
        return TablePacker.pack(
                TablePacker.Tables.of(folder.resolve("nodes.csv"), folder.resolve("edges.csv")),
                order,
                TableGraph.Listener.NONE,
                target);
    }

    @Test
    void tablesArePackedAsTheyAreRead() throws IOException {
        Path target = tables(70_000, 1);
        assertThat(packTables(target)).isTrue();
        Graph whole = TableGraph.read(folder.resolve("nodes.csv"), folder.resolve("edges.csv"));
        try (PackedGraph packed = PackedGraph.open(target)) {
            assertThat(packed.schema()).isEqualTo(whole.schema());
            assertThat(packed.classes()).isEqualTo(whole.classes());
            assertThat(packed.labels()).isEqualTo(whole.labels());
            assertSame(packed, whole);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("nodes.csv", "edges.csv", "t.npk");
        }
        assertThat(packTables(target)).as("the same again").isFalse();
        tables(500, 2);
        assertThat(packTables(target)).as("other tables").isTrue();
    }

    /** The same nodes by their ids, with the same features, labels and neighbours. */
    @Test
    void anotherOrderIsTheSameGraphById() throws IOException {
        Path plain = tables(9000, 1);
        Path ordered = folder.resolve("ordered.npk");
        packTables(plain);
        assertThat(packTables(NodeOrder.COMMUNITIES, ordered)).isTrue();
        assertThat(packTables(NodeOrder.COMMUNITIES, ordered))
                .as("the same again")
                .isFalse();
        try (PackedGraph before = PackedGraph.open(plain);
                PackedGraph after = PackedGraph.open(ordered)) {
            assertThat(after.schema()).isEqualTo(before.schema());
            assertThat(after.classes()).isEqualTo(before.classes());
            assertThat(after.ids(0, 9000)).isNotEqualTo(before.ids(0, 9000));
            assertThat(byId(after)).isEqualTo(byId(before));
        }
        byte[] first = Files.readAllBytes(ordered);
        Files.delete(ordered);
        packTables(NodeOrder.COMMUNITIES, ordered);
        assertThat(Files.readAllBytes(ordered)).as("deterministic").isEqualTo(first);
        assertThat(packTables(NodeOrder.TABLE, ordered)).as("another order").isTrue();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(4);
        }
    }

    private static Map<String, String> byId(PackedGraph graph) {
        List<String> ids = graph.ids(0, graph.nodes());
        BlockGraph.Links links = graph.links(0, graph.nodes());
        Matrix features = graph.features(0, graph.nodes());
        Map<String, String> all = new TreeMap<>();
        for (int v = 0; v < graph.nodes(); v++) {
            int node = v;
            List<String> neighbours = Arrays.stream(links.neighbours(), links.pointers()[v], links.pointers()[v + 1])
                    .mapToObj(ids::get)
                    .sorted()
                    .toList();
            List<Float> values = IntStream.range(0, graph.features())
                    .mapToObj(c -> features.get(node, c))
                    .toList();
            all.put(ids.get(v), graph.labels()[v] + " " + values + " " + neighbours);
        }
        return all;
    }

    @Test
    void namesWhatIsWrongWithTables() throws IOException {
        Path target = tables(100, 1);
        Files.writeString(folder.resolve("edges.csv"), "from,to\n\"n, 1\",nobody\n");
        assertThatThrownBy(() -> packTables(target))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("edges.csv")
                .hasMessageContaining("'nobody'")
                .hasMessageContaining("--drop-dangling");
        Files.writeString(folder.resolve("nodes.csv"), "name,amount\na,1\na,2\n");
        assertThatThrownBy(() -> packTables(target)).hasMessageContaining("nodes.csv");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void idsAreFoundByTheirHashes() {
        IdIndex index = new IdIndex();
        for (int i = 0; i < 100_000; i++) {
            assertThat(index.add("id" + i)).isTrue();
        }
        assertThat(index.add("id77")).isFalse();
        assertThat(index.find("id99999")).isEqualTo(99_999);
        assertThat(index.find("id100000")).isEqualTo(-1);
        assertThat(index.size()).isEqualTo(100_000);
    }

    @Test
    void bucketsSortAndDropRepeats() throws IOException {
        Rng rng = new Seed(1).rng();
        int nodes = 20_000;
        int[] from = new int[60_000];
        int[] to = new int[60_000];
        Path file = folder.resolve("b.npk");
        PackWriter.write(file, writer -> {
            for (int i = 0; i < nodes; i += PackWriter.PIECE) {
                int count = Math.min(PackWriter.PIECE, nodes - i);
                writer.features(DenseMatrix.of(count, 1, new float[count]));
            }
            try (EdgeBuckets buckets = new EdgeBuckets(folder, nodes, 1L << 26)) {
                for (int e = 0; e < from.length; e++) {
                    from[e] = rng.nextInt(300);
                    to[e] = rng.nextInt(nodes);
                    buckets.add(from[e], to[e]);
                }
                buckets.writeTo(writer);
                return new PackWriter.Summary("b", nodes, 1, buckets.edges(), true, List.of(), null, "");
            }
        });
        try (PackedGraph packed = PackedGraph.open(file)) {
            assertThat(packed.links(0, nodes).neighbours())
                    .isEqualTo(Adjacency.directed(nodes, from, to).adjacency().neighbours());
        }
    }
}
