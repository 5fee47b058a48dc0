// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.array.ArrayFile;
import dev.nescio.io.array.Npy;
import dev.nescio.io.array.Safetensors;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.io.graph.GraphLocation;
import dev.nescio.io.graph.TableFiles;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TablePacker;
import dev.nescio.io.location.GraphLocations;
import dev.nescio.io.pack.NodeOrder;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.Diverged;
import dev.nescio.problem.EngineFailure;
import dev.nescio.problem.NescioException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged files give a clear error or a result, and nothing else. {@code -Dnescio.fuzz.cases=20000} makes a night's work of it: so
 * many cases of each kind, {@code -Dnescio.fuzz.minutes} at most.
 */
class HostileFilesTest {

    private static final int CASES = Integer.getInteger("nescio.fuzz.cases", 400);
    private static final int MINUTES = Integer.getInteger("nescio.fuzz.minutes", 60);
    private static final Duration LONGEST = Duration.ofMinutes(MINUTES + 2L);
    /** No file of a few kilobytes may keep a core busy for longer. */
    private static final Duration LONGEST_CASE = Duration.ofSeconds(10);

    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    @TempDir
    static Path folder;

    private static Path nodes;
    private static Path edges;

    @BeforeAll
    static void files() throws SQLException {
        Graph graph = BuiltinGraphs.make("blocks?nodes=60");
        TableFiles.write(graph, folder.resolve("tables"));
        nodes = folder.resolve("tables/nodes.csv");
        edges = folder.resolve("tables/edges.csv");
        Npy.writeAll(
                folder.resolve("graph.npz"),
                Map.of(
                        "node_features", new NdArray.Floats(new int[] {4, 3}, new float[12]),
                        "node_labels", NdArray.of(0, 1, 0, 1),
                        "edges", new NdArray.Ints(new int[] {3, 2}, new int[] {0, 1, 1, 2, 2, 3})));
        Detector detector = Detector.train(
                graph,
                graph.split("0"),
                DetectorOptions.defaults()
                        .withModel(ModelOptions.of(4, 2, 0.5, 1))
                        .withTraining(TrainingOptions.of(0.01, 0, 3, 3, 0)),
                TrainingListener.NONE);
        DetectorFile.write(detector, folder.resolve("detector.nescio"));
        DetectorFile.write(detector, folder.resolve("detector"));
        AtomicFile.write(
                folder.resolve("state.safetensors"),
                out -> Safetensors.write(out, Map.of("z", NdArray.of(DenseMatrix.of(5, 4, new float[20])))));
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("COPY (SELECT * FROM read_csv('" + nodes + "')) TO '" + folder.resolve("nodes.parquet")
                    + "' (FORMAT parquet)");
        }
    }

    @FunctionalInterface
    private interface Reader {
        void read(Path file) throws IOException;
    }

    private static void damage(Path original, int cases, Reader reader) throws IOException {
        byte[] bytes = Files.readAllBytes(original);
        String name = original.getFileName().toString();
        Path damagedFile = folder.resolve("damaged" + name.substring(name.indexOf('.')));
        SplittableRandom random = new SplittableRandom(name.hashCode());
        reader.read(original);
        attack(name, cases, () -> {
            Files.write(damagedFile, damaged(bytes, random));
            try {
                reader.read(damagedFile);
            } catch (NescioException e) {
                assertThat(e.getMessage()).contains(folder.toString());
                throw e;
            }
        });
    }

    @FunctionalInterface
    private interface Attack {
        void run() throws IOException;
    }

    /** Attacks again and again, and says how often. */
    private static void attack(String name, int cases, Attack attack) {
        long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
        int refused = 0;
        int tried = 0;
        long slowest = 0;
        for (; tried < cases && System.nanoTime() < end; tried++) {
            long before = CPU.getCurrentThreadCpuTime();
            try {
                attack.run();
            } catch (NescioException e) {
                // The command line ends with 1 for a failure of the engine, which is no refusal.
                if (e instanceof EngineFailure && !(e instanceof Diverged)) {
                    throw new AssertionError("case " + tried + " of " + name + ": " + e, e);
                }
                refused++;
            } catch (Throwable e) {
                throw new AssertionError("case " + tried + " of " + name + ": " + e, e);
            }
            slowest = Math.max(slowest, CPU.getCurrentThreadCpuTime() - before);
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %,d cases, %,d refused, the slowest took %d ms%n",
                name,
                tried,
                refused,
                slowest / 1_000_000);
        assertThat(refused).as("refused of %s", name).isPositive();
        assertThat(Duration.ofNanos(slowest)).as("slowest of %s", name).isLessThan(LONGEST_CASE);
    }

    private static byte[] damaged(byte[] bytes, SplittableRandom random) {
        byte[] copy =
                switch (random.nextInt(4)) {
                    case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
                    case 1 -> doubled(bytes, random);
                    default -> bytes.clone();
                };
        for (int changes = random.nextInt(8); changes > 0 && copy.length > 0; changes--) {
            int at = random.nextInt(copy.length);
            copy[at] = switch (random.nextInt(4)) {
                case 0 -> (byte) 0xff;
                case 1 -> 0;
                case 2 -> (byte) (copy[at] ^ 1 << random.nextInt(8));
                default -> (byte) ",\"\n\r;-.eN9".charAt(random.nextInt(10));
            };
        }
        return copy;
    }

    /** A piece of the file a second time, somewhere. */
    private static byte[] doubled(byte[] bytes, SplittableRandom random) {
        int from = random.nextInt(bytes.length);
        int length = random.nextInt(Math.min(64, bytes.length - from) + 1);
        int to = random.nextInt(bytes.length);
        byte[] longer = new byte[bytes.length + length];
        System.arraycopy(bytes, 0, longer, 0, to);
        System.arraycopy(bytes, from, longer, to, length);
        System.arraycopy(bytes, to, longer, to + length, bytes.length - to);
        return longer;
    }

    @Test
    void tables() {
        Assertions.assertTimeoutPreemptively(LONGEST, () -> {
            damage(nodes, CASES, file -> TableGraph.read(file, edges));
            damage(edges, CASES, file -> TableGraph.read(nodes, file));
        });
    }

    @Test
    void jsonLines() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(nodes).subList(1, 5)) {
            String[] fields = line.split(",");
            text.append("{\"id\": \"")
                    .append(fields[0])
                    .append("\", \"label\": \"a\", \"x\": [1, 2.5], \"y\": null, \"z\": true}\n");
        }
        Path file = Files.writeString(folder.resolve("nodes.jsonl"), text);
        Path links = Files.writeString(folder.resolve("links.csv"), "source,target\n");
        Assertions.assertTimeoutPreemptively(
                LONGEST, () -> damage(file, CASES, damaged -> TableGraph.read(damaged, links)));
    }

    @Test
    void parquet() {
        Assertions.assertTimeoutPreemptively(
                LONGEST,
                () -> damage(folder.resolve("nodes.parquet"), CASES / 4, file -> TableGraph.read(file, edges)));
    }

    @Test
    void npz() {
        Assertions.assertTimeoutPreemptively(
                LONGEST, () -> damage(folder.resolve("graph.npz"), CASES, file -> GraphFile.read(file)));
    }

    @Test
    void safetensors() {
        Assertions.assertTimeoutPreemptively(
                LONGEST,
                () -> damage(
                        folder.resolve("state.safetensors"),
                        CASES,
                        file -> ArrayFile.matrices(List.of(file.toString()))));
    }

    /** Somebody has changed a detector and its checksums: it is refused, or scores. */
    @Test
    void detectorsWithRightChecksums() {
        Graph graph = BuiltinGraphs.make("blocks?nodes=60");
        Path place = folder.resolve("detector");
        Assertions.assertTimeoutPreemptively(LONGEST, () -> {
            List<Path> files;
            try (Stream<Path> all = Files.list(place)) {
                files = all.filter(file -> !file.endsWith("SHA256SUMS"))
                        .sorted()
                        .toList();
            }
            SplittableRandom random = new SplittableRandom(1);
            attack("detectors with right checksums", CASES, () -> {
                Path file = files.get(random.nextInt(files.size()));
                byte[] whole = Files.readAllBytes(file);
                // Under another name, the digest within a file is nobody's business.
                byte[] open = new String(whole, StandardCharsets.ISO_8859_1)
                        .replace("nescio.sha256", "nescio.shaxxx")
                        .getBytes(StandardCharsets.ISO_8859_1);
                Files.write(file, damaged(open, random));
                Sums.renew(place);
                try {
                    DetectorFile.read(place).score(graph);
                } finally {
                    Files.write(file, whole);
                }
            });
            Sums.renew(place);
        });
    }

    @Test
    void detectors() {
        Assertions.assertTimeoutPreemptively(
                LONGEST, () -> damage(folder.resolve("detector.nescio"), CASES, file -> DetectorFile.read(file)));
    }

    @Test
    void graphMl() throws IOException {
        Path file = Files.writeString(folder.resolve("small.graphml"), """
                <graphml><key id="d0" for="node" attr.name="size"/><graph>
                <node id="a"><data key="d0">4</data></node><node id="b"><data key="d0">5</data></node>
                <edge source="a" target="b"/></graph></graphml>
                """);
        Assertions.assertTimeoutPreemptively(
                LONGEST,
                () -> damage(
                        file, CASES, damaged -> GraphLocations.read(GraphLocation.Request.of(damaged.toString()))));
    }

    @Test
    void packedGraphs() {
        Path file = folder.resolve("graph.npk");
        TablePacker.pack(TablePacker.Tables.of(nodes, edges), NodeOrder.TABLE, TableGraph.Listener.NONE, file);
        Assertions.assertTimeoutPreemptively(
                LONGEST,
                () -> damage(file, CASES, damaged -> {
                    try (PackedGraph packed = PackedGraph.open(damaged)) {
                        packed.toGraph();
                    }
                }));
    }

    /** Somebody has changed a packed graph and its checksums. */
    @Test
    void packedGraphsWithRightChecksums() throws IOException {
        Path whole = folder.resolve("right.npk");
        TablePacker.pack(TablePacker.Tables.of(nodes, edges), NodeOrder.TABLE, TableGraph.Listener.NONE, whole);
        byte[] bytes = Files.readAllBytes(whole);
        Path file = folder.resolve("changed.npk");
        SplittableRandom random = new SplittableRandom(2);
        Assertions.assertTimeoutPreemptively(
                LONGEST,
                () -> attack("packed graphs with right checksums", 5 * CASES, () -> {
                    byte[] changed = bytes.clone();
                    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                        int at = 8 + random.nextInt(changed.length - 48);
                        changed[at] = random.nextBoolean()
                                ? (byte) "0123456789".charAt(random.nextInt(10))
                                : (byte) (changed[at] ^ 1 << random.nextInt(8));
                    }
                    Sums.renewPacked(changed);
                    Files.write(file, changed);
                    try (PackedGraph packed = PackedGraph.open(file)) {
                        packed.toGraph();
                    }
                }));
    }

    /** Somebody has changed arrays, and the checksums of the zip are right. */
    @Test
    void npzWithRightChecksums() throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        try (ZipFile zip = new ZipFile(folder.resolve("graph.npz").toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        }
        List<String> names = List.copyOf(entries.keySet());
        Path file = folder.resolve("changed.npz");
        SplittableRandom random = new SplittableRandom(3);
        Assertions.assertTimeoutPreemptively(
                LONGEST,
                () -> attack("npz with right checksums", CASES, () -> {
                    Map<String, byte[]> changed = new TreeMap<>(entries);
                    changed.computeIfPresent(
                            names.get(random.nextInt(names.size())), (name, bytes) -> damaged(bytes, random));
                    zip(file, changed);
                    GraphFile.read(file);
                }));
    }

    private static void zip(Path file, Map<String, byte[]> entries) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
    }

    @Test
    void aZipBombIsRefused() throws IOException {
        Path bomb = folder.resolve("bomb.npz");
        try (OutputStream out = Files.newOutputStream(bomb);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("node_features.npy"));
            byte[] header = "{'descr': '|u1', 'fortran_order': False, 'shape': (30000, 30000), }\n".getBytes();
            zip.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) header.length, 0});
            zip.write(header);
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 900; i++) {
                zip.write(zeros);
            }
            zip.closeEntry();
        }

        assertThat(Files.size(bomb)).isLessThan(2 << 20);
        assertThatThrownBy(() -> GraphFile.read(bomb))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("unpacks to more than 500 times its size");
    }

    @Test
    void namesThatClimbAreNotFollowed() throws IOException {
        Path climbing = folder.resolve("climbing.nescio");
        try (OutputStream out = Files.newOutputStream(climbing);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("../../manifest.json"));
            zip.write("{}".getBytes());
            zip.closeEntry();
        }

        assertThatThrownBy(() -> DetectorFile.read(climbing))
                .isInstanceOf(NescioException.class)
                .hasMessageContaining("climbing.nescio has no manifest.json");
    }
}
