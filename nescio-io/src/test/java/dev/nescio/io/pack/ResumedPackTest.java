// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TablePacker;
import dev.nescio.progress.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process had finished is not done again. The folder that it leaves is copied while it works. */
class ResumedPackTest {

    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

    private Path target;
    private Path work;

    @BeforeEach
    void tables() throws IOException {
        target = folder.resolve("g.npk");
        work = folder.resolve(".g.npk.work");
        StringBuilder nodes = new StringBuilder("id,f,label\n");
        StringBuilder edges = new StringBuilder("from,to\n");
        for (int v = 0; v < 6000; v++) {
            nodes.append("n").append(v).append(',').append(v % 17).append(v % 2 == 0 ? ",x\n" : ",y\n");
            edges.append("n").append(v).append(",n").append(v * 7 % 6000).append('\n');
        }
        Files.writeString(folder.resolve("nodes.csv"), nodes);
        Files.writeString(folder.resolve("edges.csv"), edges);
    }

    /** Remembers the names of files that are read, and copies the folder at a step. */
    private final class Watching implements TableGraph.Listener {

        private final List<String> read = new ArrayList<>();
        private final String copiedAt;

        Watching(String copiedAt) {
            this.copiedAt = copiedAt;
        }

        @Override
        public void accept(String remark) {}

        @Override
        public void step(String what) {
            if (what.equals(copiedAt)) {
                copy(work, elsewhere);
            }
        }

        @Override
        public Progress reading(Path what) {
            read.add(what.getFileName().toString());
            return Progress.NONE;
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> pack(NodeOrder order, String copiedAt) {
        Watching listener = new Watching(copiedAt);
        TablePacker.Tables tables = TablePacker.Tables.of(folder.resolve("nodes.csv"), folder.resolve("edges.csv"));
        assertThat(TablePacker.pack(tables, order, listener, target)).isTrue();
        return listener.read;
    }

    /** As if the process had been killed at that step. */
    private byte[] killedAt(NodeOrder order, String step) throws IOException {
        assertThat(pack(order, step)).containsExactly("nodes.csv", "nodes.csv", "edges.csv");
        byte[] right = Files.readAllBytes(target);
        Files.delete(target);
        copy(elsewhere, work);
        return right;
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("nodes.csv", "edges.csv", "g.npk");
        }
    }

    @Test
    void nodesAreNotReadAgain() throws IOException {
        byte[] right = killedAt(NodeOrder.TABLE, "sorting edges");
        assertThat(pack(NodeOrder.TABLE, "")).containsExactly("edges.csv");
        assertThat(Files.readAllBytes(target)).isEqualTo(right);
        assertNothingIsLeft();
    }

    @Test
    void edgesAreNotReadAgain() throws IOException {
        byte[] right = killedAt(NodeOrder.COMMUNITIES, "ordering nodes");
        assertThat(pack(NodeOrder.COMMUNITIES, "")).isEmpty();
        assertThat(Files.readAllBytes(target)).isEqualTo(right);
        assertNothingIsLeft();
    }

    @Test
    void otherTablesAreReadAnew() throws IOException {
        killedAt(NodeOrder.TABLE, "sorting edges");
        Files.writeString(folder.resolve("edges.csv"), "from,to\nn1,n2\n");
        assertThat(pack(NodeOrder.TABLE, "")).containsExactly("nodes.csv", "nodes.csv", "edges.csv");
        try (PackedGraph graph = PackedGraph.open(target)) {
            assertThat(graph.edges()).isEqualTo(2);
        }
        assertNothingIsLeft();
    }

    @Test
    void whatIsDamagedIsMadeAnew() throws IOException {
        byte[] right = killedAt(NodeOrder.TABLE, "sorting edges");
        Path nodes = work.resolve("nodes.npk");
        byte[] bytes = Files.readAllBytes(nodes);
        bytes[bytes.length - 20] ^= 1;
        Files.write(nodes, bytes);
        assertThat(pack(NodeOrder.TABLE, "")).contains("nodes.csv");
        assertThat(Files.readAllBytes(target)).isEqualTo(right);
    }

    @Test
    void placesComeBackAsTheyWereOrNotAtAll() throws IOException {
        Path file = folder.resolve("places");
        int[] places = {2, 0, 1};
        PlacesFile.write(file, places, "a");
        assertThat(PlacesFile.read(file, 3, "a")).isEqualTo(places);
        assertThat(PlacesFile.read(file, 3, "b")).isNull();
        assertThat(PlacesFile.read(file, 4, "a")).isNull();
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] ^= 1;
        Files.write(file, bytes);
        assertThat(PlacesFile.read(file, 3, "a")).isNull();
    }

    @Test
    void aFinishedFileNeedsNoFolder() throws IOException {
        killedAt(NodeOrder.TABLE, "sorting edges");
        pack(NodeOrder.TABLE, "");
        copy(elsewhere, work);
        TablePacker.Tables tables = TablePacker.Tables.of(folder.resolve("nodes.csv"), folder.resolve("edges.csv"));
        assertThat(TablePacker.pack(tables, NodeOrder.TABLE, TableGraph.Listener.NONE, target))
                .isFalse();
        assertNothingIsLeft();
    }
}
