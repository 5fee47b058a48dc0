// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How much memory, time and how many connections one client can have. */
class LimitsTest {

    /** What is announced takes no memory, and detectors come one at a time. */
    @Test
    void whoAnnouncesMuchAndSendsLittleTakesNoMemory() throws Exception {
        try (Service service = Example.start(Example.options())) {
            Client client = new Client(service.address());
            client.get("/api/v1/overview");
            long before = used();
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                boolean isDetector = i < 8;
                sockets.add(begun(
                        service.address(),
                        isDetector ? "/api/v1/detector" : "/api/v1/score",
                        isDetector ? 512 << 20 : 32 << 20));
            }
            int busy = 0;
            for (int i = 0; i < 500 && busy < 7; i++) {
                TimeUnit.MILLISECONDS.sleep(50);
                busy = (int) sockets.stream().filter(LimitsTest::isAnswered).count();
            }
            assertThat(used() - before).as("growth").isLessThan(64L << 20);
            assertThat(busy).as("uploads of detectors that are told to wait").isEqualTo(7);
            for (Socket socket : sockets) {
                if (isAnswered(socket)) {
                    assertThat(start(socket)).isEqualTo("HTTP/1.1 429");
                }
                socket.close();
            }
            int status = 429;
            for (int i = 0; i < 100 && status == 429; i++) {
                TimeUnit.MILLISECONDS.sleep(50);
                status = client.send("POST", "/api/v1/detector", "no detector").statusCode();
            }
            assertThat(status).as("the place is free again").isEqualTo(422);
        }
    }

    private static Socket begun(URI address, String path, int length) throws IOException {
        Socket socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + "\r\n\r\n{")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static boolean isAnswered(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String start(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }

    private static long used() throws InterruptedException {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(100);
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** A byte now and then would keep a connection open for ever. */
    @Test
    void headersThatNeverEndAreCutOff() throws Exception {
        ServeOptions options = Example.options().withLimits(40, Duration.ofSeconds(2), 1 << 20);
        try (Service service = Example.start(options);
                Socket socket = new Socket(
                        service.address().getHost(), service.address().getPort())) {
            socket.setSoTimeout(100);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
            boolean isOpen = true;
            for (int i = 0; i < 150 && isOpen; i++) {
                isOpen = trickle(socket);
            }
            assertThat(isOpen).as("after half a minute").isFalse();
            assertThat(new Client(service.address())
                            .get("/api/v1/overview")
                            .get("nodes")
                            .intValue())
                    .isEqualTo(400);
        }
    }

    /** Sends one more byte and waits a little; false where the service has gone. */
    private static boolean trickle(Socket socket) throws InterruptedException {
        try {
            socket.getOutputStream().write('x');
            TimeUnit.MILLISECONDS.sleep(100);
            return socket.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void connectionsThatSayNothingMakeRoomForOthers() throws Exception {
        ServeOptions options = Example.options().withLimits(2, Duration.ofSeconds(30), 1 << 20);
        List<Socket> silent = new ArrayList<>();
        try (Service service = Example.start(options)) {
            int most = Service.mostConnections(2);
            for (int i = 0; i < most + 40; i++) {
                silent.add(new Socket(
                        service.address().getHost(), service.address().getPort()));
            }
            long begin = System.nanoTime();
            assertThat(new Client(service.address())
                            .get("/api/v1/overview")
                            .get("nodes")
                            .intValue())
                    .isEqualTo(400);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            System.out.println("behind " + silent.size() + " silent connections: an answer after " + millis + " ms");
            int closed = 0;
            // Without a limit they would stay for half a minute.
            do {
                TimeUnit.MILLISECONDS.sleep(100);
                closed = (int) silent.stream().filter(LimitsTest::isClosed).count();
            } while (closed == 0 && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(20));
            assertThat(closed)
                    .as("silent ones that were closed before their time")
                    .isPositive();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(1);
            InputStream in = socket.getInputStream();
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** With no time at all, whatever goes through many nodes is given up, and look-ups are answered. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/nodes?q=a",
                "/api/v1/nodes/n17/ego",
                "/api/v1/map",
                "/api/v1/review/queue",
                "/api/v1/overview"
            })
    void computationsEndInTime(String path) {
        try (Service service = Example.start(Example.options().withLimits(40, Duration.ofNanos(1), 1 << 20))) {
            Client client = new Client(service.address());
            HttpResponse<byte[]> response = client.send("GET", path, null);
            assertThat(response.statusCode()).isEqualTo(413);
            assertThat(client.json(response).get("error").get("message").stringValue())
                    .isEqualTo("the answer takes longer than 0 seconds, which is the limit; ask for less");
            assertThat(client.send("GET", "/api/v1/nodes/n17", null).statusCode())
                    .isEqualTo(200);
        }
    }

    /** Loading scores every node and has a limit of its own. */
    @Test
    void aDetectorMayTakeLongerThanOtherRequests(@TempDir Path folder) throws Exception {
        List<TableSchema.Column> columns = IntStream.range(
                        0, Example.GRAPH.features().columns())
                .mapToObj(f -> new TableSchema.Column(
                        "g" + f, TableSchema.Kind.NUMBERS, List.of(new TableSchema.Scale(0, 1, 0)), List.of()))
                .toList();
        Graph other = Example.GRAPH
                .with()
                .schema(new TableSchema("id", "label", "from", "to", false, columns))
                .build();
        DetectorOptions few = DetectorOptions.defaults()
                .with(ModelOptions.HIDDEN, 8)
                .withTraining(TrainingOptions.of(0.01, 0, 2, 2, 1))
                .withEstimators("jlde");
        Path file = folder.resolve("other.nescio");
        DetectorFile.write(Detector.train(other, other.split("0"), few, TrainingListener.NONE), file);
        Source source = new Source.OfGraph("example", Example.detector(), Example.GRAPH, schema -> {
            Example.pause(2500);
            return other;
        });
        ServeOptions options = Example.options().withLimits(40, Duration.ofSeconds(1), 1 << 20);
        try (Service service = Example.start(options, source)) {
            JsonNode answer =
                    new Client(service.address()).upload("/api/v1/detector?name=other", Files.readAllBytes(file));
            assertThat(answer.get("after").get("name").stringValue()).isEqualTo("other");
        }
    }
}
