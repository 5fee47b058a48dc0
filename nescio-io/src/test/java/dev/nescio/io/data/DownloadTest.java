// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.nescio.graph.Preprocessing;
import dev.nescio.io.array.Npy;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Rng;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
        server.setExecutor(Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }));
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

    /** Killed at every moment: what has arrived is kept, what is under the final name is the file. */
    @Test
    void canBeKilledAtAnyMoment() throws IOException, InterruptedException {
        Path npz = folder.resolve("made.npz");
        float[] noise = new float[200_000];
        Rng rng = new Rng(1);
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (float) rng.nextGaussian();
        }
        Npy.writeAll(
                npz,
                Map.of(
                        "node_features", new NdArray.Floats(new int[] {100_000, 2}, noise),
                        "edges", new NdArray.Ints(new int[] {1, 2}, new int[] {0, 1})));
        file = Files.readAllBytes(npz);
        sent = file.length;
        Path target = folder.resolve("data/small.npz");
        int kills = 0;
        int step = Integer.getInteger("nescio.crashes", 4) >= 1000 ? 1 : 4;
        for (int moment = 1; ; moment += moment > 3 && moment < 12 ? step : 1) {
            int exit = pull(moment);
            if (exit == 0) {
                break;
            }
            assertThat(exit).isEqualTo(137);
            kills++;
            if (Files.exists(target)) {
                assertThat(target).hasBinaryContent(file);
                Files.delete(target);
            }
        }
        System.out.println("data pull: killed at " + kills + " moments");
        assertThat(kills).isGreaterThan(3);
        assertThat(target).hasBinaryContent(file);
        assertThat(asked.stream().filter(range -> range.startsWith("bytes="))).isNotEmpty();
        try (Stream<Path> left = Files.list(folder.resolve("data"))) {
            assertThat(left).containsExactly(target);
        }
    }

    private int pull(int moment) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dnescio.crash.at=" + moment,
                        "-cp",
                        System.getProperty("java.class.path"),
                        PullOnce.class.getName(),
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/small.npz",
                        folder.resolve("data").toString(),
                        Integer.toString(file.length),
                        sha256())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
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

    @Test
    void aServerThatFallsSilentIsLeft() throws IOException {
        server.createContext("/stalled.npz", exchange -> {
            exchange.sendResponseHeaders(200, file.length);
            exchange.getResponseBody().write(file, 0, 50);
            exchange.getResponseBody().flush();
            try {
                Thread.sleep(20_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        DataSet stalled = set("/stalled.npz", sha256());
        Download impatient = new Download((done, total) -> {}, Duration.ofSeconds(1));
        assertTimeoutPreemptively(
                Duration.ofSeconds(15), () -> assertThatThrownBy(() -> impatient.pull(stalled, data()))
                        .isInstanceOf(BadInput.class)
                        .hasMessageContaining("nothing has come for 1 seconds); try again to go on"));
        assertThat(data().path().resolve("small.npz.part")).hasSize(50);
        download().pull(set("/small.npz", sha256()), data());
        assertThat(asked).containsExactly("bytes=50-");
    }

    /** A captive portal answers everything with its own page; nothing of it is kept. */
    @Test
    void aPageIsNotTakenForTheFile() {
        server.createContext("/portal.npz", exchange -> {
            byte[] page = "<html>Please log in</html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        assertThatThrownBy(() -> download().pull(set("/portal.npz", sha256()), data()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the server sends something else, perhaps a page to log in");
        assertThat(data().path()).isEmptyDirectory();
    }

    /** A page to log in must not cost what has arrived before. */
    @Test
    void aPageDoesNotTakeThePlaceOfWhatHasArrived() throws IOException {
        for (String page : List.of("<html>Please log in</html>", "")) {
            server.createContext("/portal" + page.length(), exchange -> {
                byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
                if (bytes.length > 0) {
                    exchange.getResponseBody().write(bytes);
                }
                exchange.close();
            });
            Files.createDirectories(data().path());
            Path part = Files.write(data().path().resolve("small.npz.part"), Arrays.copyOf(file, 100));

            assertThatThrownBy(() -> download().pull(set("/portal" + page.length(), sha256()), data()))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("the server sends ");
            assertThat(part).hasBinaryContent(Arrays.copyOf(file, 100));
        }
        assertThat(download().pull(set("/small.npz", sha256()), data())).hasBinaryContent(file);
        assertThat(asked).containsExactly("bytes=100-");
    }

    /** What a server says of the length of a file that nobody has published is no reason to believe it. */
    @Test
    void aLengthThatTheServerAloneKnowsIsLimited() {
        server.createContext("/large.npz", exchange -> {
            exchange.sendResponseHeaders(200, 1L << 40);
            exchange.getResponseBody().write(file);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        DataSet large = set("/large.npz", new DataSet.Version("small.npz", -1, ""));
        assertThatThrownBy(() -> download().pull(large, data()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the server sends more than 67108864 bytes");
        assertThat(data().path()).isEmptyDirectory();
    }

    /** Without a published length, what arrives is limited, too. */
    @Test
    void anEndlessFileIsCutOff() {
        server.createContext("/endless.npz", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] chunk = new byte[1 << 20];
            chunk[0] = 'P';
            chunk[1] = 'K';
            try (OutputStream out = exchange.getResponseBody()) {
                for (int i = 0; i < 100; i++) {
                    out.write(chunk);
                }
            }
        });
        DataSet endless = set("/endless.npz", new DataSet.Version("small.npz", -1, ""));
        assertThatThrownBy(() -> download().pull(endless, data()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the server sends more than 67108864 bytes");
        assertThat(data().path()).isEmptyDirectory();
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
