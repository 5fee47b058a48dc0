// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.nescio.graph.Preprocessing;
import dev.nescio.io.array.Npy;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on the loopback plays the part of the world. */
class DownloadTest {

    @TempDir
    Path folder;

    private final List<String> asked = new ArrayList<>();
    private byte[] file;
    private int sent;
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        Path npz = folder.resolve("made.npz");
        Npy.writeAll(
                npz,
                Map.of(
                        "node_features", new NdArray.Floats(new int[] {3, 2}, new float[] {1, 2, 3, 4, 5, 6}),
                        "node_labels", NdArray.of(0, 1, 1),
                        "edges", new NdArray.Ints(new int[] {2, 2}, new int[] {0, 1, 1, 2})));
        file = Files.readAllBytes(npz);
        sent = file.length;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/small.npz", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        asked.add(String.valueOf(range));
        int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
        if (from >= file.length) {
            exchange.sendResponseHeaders(416, -1);
            exchange.close();
            return;
        }
        byte[] rest = Arrays.copyOfRange(file, from, Math.max(from, sent));
        exchange.sendResponseHeaders(range == null ? 200 : 206, rest.length);
        exchange.getResponseBody().write(rest);
        exchange.close();
    }

    private DataSet set(String path, String sha256) {
        return set(path, new DataSet.Version("small.npz", file.length, sha256));
    }

    private DataSet set(String path, DataSet.Version version) {
        return new DataSet(
                "small",
                "Small",
                List.of(version),
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path),
                new DataSet.Size(3, 4, 2, 2),
                Preprocessing.NONE,
                true,
                null,
                "");
    }

    private DataFolder data() {
        return new DataFolder(folder.resolve("data"));
    }

    private String sha256() {
        return DataFolder.sha256(folder.resolve("made.npz"));
    }

    private static Download download() {
        return new Download((done, total) -> {});
    }

    @Test
    void whatArrivesIsVerifiedAndCanBeRead() {
        DataSet set = set("/small.npz", sha256());
        assertThatThrownBy(() -> data().read(set))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("'nescio data pull small' downloads it");
        Path target = download().pull(set, data());

        assertThat(target).hasBinaryContent(file);
        assertThat(data().read(set).nodes()).isEqualTo(3);
    }

    @Test
    void goesOnWhereItStopped() throws IOException {
        sent = 100;
        DataSet set = set("/small.npz", sha256());
        assertThatThrownBy(() -> download().pull(set, data()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("after 100 of " + file.length + " bytes");
        sent = file.length;
        Path target = download().pull(set, data());

        assertThat(target).hasBinaryContent(file);
        assertThat(asked).containsExactly("null", "bytes=100-");
        assertThat(Files.list(data().path())).containsExactly(target);
    }

    /** As after a kill between the last byte and the new name, where nobody knows how long the file should be. */
    @Test
    void aWholeFileOfUnknownLengthIsFetchedAgain() throws IOException {
        DataSet unknown = set("/small.npz", new DataSet.Version("small.npz", -1, ""));
        Files.createDirectories(data().path());
        Files.write(data().path().resolve("small.npz.part"), file);

        assertThat(download().pull(unknown, data())).hasBinaryContent(file);
        assertThat(asked).containsExactly("bytes=" + file.length + "-", "null");
    }

    @Test
    void anotherFileIsRefusedAndNotKept() {
        DataSet set = set("/small.npz", "00");

        assertThatThrownBy(() -> download().pull(set, data()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("expected 00");
        assertThat(data().path()).isEmptyDirectory();
    }

    @Test
    void withoutAChecksumTheSizeOfTheGraphIsChecked() {
        DataSet right = set("/small.npz", "");
        download().pull(right, data());
        DataSet other = new DataSet(
                "small",
                "Small",
                right.files(),
                right.source(),
                new DataSet.Size(3, 6, 2, 2),
                Preprocessing.NONE,
                true,
                null,
                "");

        assertThat(data().read(right).nodes()).isEqualTo(3);
        assertThatThrownBy(() -> data().read(other))
                .hasMessageContaining("3 nodes, 4 directed edges")
                .hasMessageContaining("expected 3 nodes, 6");
    }

    @Test
    void withoutANetworkItSaysWhatToDo() {
        assertThatThrownBy(() -> download().pull(set("/missing.npz", ""), data()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("status 404")
                .hasMessageContaining("put the file small.npz into");
        DataSet nowhere = set("/small.npz", "");
        server.stop(0);
        assertThatThrownBy(() -> download().pull(nowhere, data()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("put the file small.npz into");
    }
}
