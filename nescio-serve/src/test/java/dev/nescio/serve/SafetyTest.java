// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.serve.journal.Disk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Who may ask, how much, and what happens when there is no room. */
class SafetyTest {

    private static final String TOKEN = "0123456789abcdef0123";

    @Test
    void onlyLoopbackNeedsNoToken() {
        assertThatThrownBy(() -> ServeOptions.defaults().withAccess("0.0.0.0", null))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(
                        "on 0.0.0.0 others can reach the service: give it a token with --token-file or NESCIO_TOKEN");
        assertThatThrownBy(() -> ServeOptions.defaults().withAccess("127.0.0.1", "short"))
                .hasMessage("the token has 5 characters; it needs at least 16");
    }

    @Test
    void aPortThatIsInUseIsRefused() {
        try (Service first = Service.listen(Example.options())) {
            int port = first.address().getPort();
            assertThatThrownBy(() -> Service.listen(Example.options().withPort(port)))
                    .isInstanceOf(BadConfiguration.class)
                    .hasMessage("port " + port + " of 127.0.0.1 is in use or not allowed; --port 0 picks a free one");
        }
    }

    @Test
    void withATokenEverythingButThePageNeedsIt() {
        try (Service service = Example.start(Example.options().withAccess("127.0.0.1", TOKEN))) {
            Client client = new Client(service.address());
            for (String path : new String[] {"/api/v1/overview", "/metrics", "/v2/models/x", "/api/v1/nothing"}) {
                assertThat(client.send("GET", path, null).statusCode()).as(path).isEqualTo(401);
                assertThat(client.send("GET", path, null, "Authorization", "Bearer " + TOKEN + "x")
                                .statusCode())
                        .isEqualTo(401);
            }
            HttpResponse<byte[]> refused = client.send("GET", "/v2/models/x", null);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"nescio\"");
            assertThat(client.json(refused).get("error").stringValue())
                    .as("the form of the inference protocol")
                    .isEqualTo("this service needs its token: 'Authorization: Bearer TOKEN'");
            assertThat(client.send("GET", "/api/v1/overview", null, "Authorization", "Bearer " + TOKEN)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(client.send("GET", "/health/ready", null).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void withoutATokenOtherNamesOfTheMachineAreRefused() throws IOException {
        try (Service service = Example.start(Example.options())) {
            String answer = raw(
                    service.address(),
                    "GET /api/v1/overview HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");
            assertThat(answer).startsWith("HTTP/1.1 403");
        }
    }

    private static String raw(URI address, String request) throws IOException {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void bodiesThatAreTooLongAreRefused() {
        try (Service service = Example.start(Example.options().withLimits(40, Duration.ofSeconds(30), 1000))) {
            Client client = new Client(service.address());
            HttpResponse<byte[]> response = client.send("POST", "/api/v1/score", " ".repeat(1001));
            assertThat(response.statusCode()).isEqualTo(413);
            assertThat(client.json(response).get("error").get("message").stringValue())
                    .isEqualTo("the body has more than 1000 bytes, which is the limit");
        }
    }

    @Test
    void slowBodiesDoNotHoldTheService() throws IOException {
        try (Service service = Example.start(Example.options().withLimits(40, Duration.ofSeconds(2), 1000));
                Socket socket = new Socket(
                        service.address().getHost(), service.address().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            socket.setSoTimeout(40_000);
            assertThat(new Client(service.address())
                            .get("/api/v1/overview")
                            .get("nodes")
                            .intValue())
                    .isEqualTo(400);
            for (int i = 0; i < 30 && socket.getInputStream().available() == 0; i++) {
                out.write(' ');
                out.flush();
                TimeUnit.MILLISECONDS.sleep(200);
            }
            byte[] begin = socket.getInputStream().readNBytes(12);
            assertThat(new String(begin, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 408");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nobody is to blame: neither a failure of ours nor a trace in the log. */
    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    void aClientThatGoesAwayIsNoFailureOfOurs() throws Exception {
        Graph large = BuiltinGraphs.make("blocks?nodes=40000");
        Source source = new Source.OfGraph("large", Example.detector(), large, schema -> large);
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Service service = Example.start(Example.options().withLog(false, false), source)) {
            try (Socket socket =
                    new Socket(service.address().getHost(), service.address().getPort())) {
                socket.getOutputStream()
                        .write("GET /api/v1/table HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getInputStream().readNBytes(1000);
                socket.setSoLinger(true, 0);
            }
            for (int i = 0; i < 300 && !log.toString(StandardCharsets.UTF_8).contains("/api/v1/table"); i++) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("a client has gone before its answer was complete")
                .doesNotContain("failure", "\tat ");
    }

    /** Somebody asks for much and reads little of it, but never stops: as with slow bodies, the place is free again soon. */
    @Test
    void slowReadersDoNotHoldTheService() throws Exception {
        Graph large = BuiltinGraphs.make("blocks?nodes=40000");
        Source source = new Source.OfGraph("large", Example.detector(), large, schema -> large);
        try (Service service = Example.start(Example.options(), source);
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(2048);
            socket.setSoTimeout(60_000);
            socket.connect(new InetSocketAddress(
                    service.address().getHost(), service.address().getPort()));
            socket.getOutputStream()
                    .write("GET /api/v1/table?format=ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            Client client = new Client(service.address());
            long begin = System.nanoTime();
            socket.getInputStream().readNBytes(1000);
            assertThat(running(client)).isEqualTo(2);
            int seconds = 0;
            while (running(client) > 1 && seconds < 60) {
                for (int i = 0; i < 5; i++) {
                    socket.getInputStream().readNBytes(400);
                    TimeUnit.MILLISECONDS.sleep(190);
                }
                seconds = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            }
            System.out.println("slow reader: cut off after " + seconds + " s");
            assertThat(seconds).isLessThan(60);
        }
    }

    /** How many requests are under way, this one among them. */
    private static int running(Client client) {
        String metrics = new String(client.send("GET", "/metrics", null).body(), StandardCharsets.UTF_8);
        return metrics.lines()
                .filter(line -> line.startsWith("nescio_requests_running "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tooManyAtOnceAreToldToComeAgain() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (Service service = Example.start(Example.options().withLimits(1, Duration.ofSeconds(30), 1000))) {
            Client client = new Client(service.address());
            HttpResponse<byte[]> response = client.send("GET", "/api/v1/overview", null);
            for (int i = 0; i < 50 && response.statusCode() == 200; i++) {
                slow.add(slowRequest(service.address()));
                TimeUnit.MILLISECONDS.sleep(100);
                response = client.send("GET", "/api/v1/overview", null);
            }
            assertThat(response.statusCode()).isEqualTo(429);
            assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(client.send("GET", "/health/live", null).statusCode()).isEqualTo(200);
            // Otherwise the service would wait for them when it stops.
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** A request whose body does not come. It may itself be told to come again, while another one is answered. */
    private static Socket slowRequest(URI address) throws IOException {
        Socket socket = new Socket(address.getHost(), address.getPort());
        socket.getOutputStream()
                .write("POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void aFullDiskRefusesWritesWhileReadsGoOn(@TempDir Path folder) {
        AtomicBoolean isFull = new AtomicBoolean();
        Disk disk = (channel, bytes) -> {
            if (isFull.get()) {
                bytes.limit(bytes.position() + bytes.remaining() / 2);
                channel.write(bytes);
                throw new IOException("No space left on device");
            }
            Disk.REAL.append(channel, bytes);
        };
        ServeOptions options = Example.options().withStore(folder.resolve("store"));
        try (Service service = Service.listen(options, disk)) {
            service.serve(Example.source());
            Client client = new Client(service.address());
            client.ask("PUT", "/api/v1/review/n17", Map.of("verdict", "strange", "by", "ada"));
            isFull.set(true);
            HttpResponse<byte[]> refused =
                    client.send("PUT", "/api/v1/review/n18", "{\"verdict\":\"strange\",\"by\":\"ada\"}");
            assertThat(refused.statusCode()).isEqualTo(507);
            assertThat(client.get("/api/v1/nodes/n18").get("review").isNull()).isTrue();
            isFull.set(false);
            client.ask("PUT", "/api/v1/review/n19", Map.of("verdict", "ordinary", "by", "ada"));
        }
        try (Service again = Example.start(options)) {
            Client client = new Client(again.address());
            assertThat(client.get("/api/v1/nodes/n17")
                            .get("review")
                            .get("verdict")
                            .stringValue())
                    .isEqualTo("strange");
            assertThat(client.get("/api/v1/nodes/n18").get("review").isNull()).isTrue();
            assertThat(client.get("/api/v1/nodes/n19")
                            .get("review")
                            .get("version")
                            .intValue())
                    .isEqualTo(2);
        }
    }

    /** A place where nothing can be made stands for a disk without room. */
    @Test
    void aDetectorThatTheStoreHasNoRoomForIsNotTaken(@TempDir Path folder) throws IOException {
        Path nowhere = Path.of("/proc/self/fdinfo");
        Assumptions.assumeTrue(Files.isDirectory(nowhere), "there is no " + nowhere);
        Path store = folder.resolve("store");
        Path second = folder.resolve("second.nescio");
        DetectorFile.write(Example.train(2), second);
        try (Service service = Example.start(Example.options().withStore(store))) {
            Path first = store.resolve("detectors");
            Files.move(first, store.resolve("moved"));
            Files.createSymbolicLink(first, nowhere);
            HttpResponse<byte[]> refused = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(service.address() + "api/v1/detector"))
                                    .POST(HttpRequest.BodyPublishers.ofFile(second))
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertThat(refused.statusCode()).isEqualTo(507);
            Client client = new Client(service.address());
            assertThat(client.json(refused).get("error").get("message").stringValue())
                    .isEqualTo("the store takes no more: the detector was not taken, the old one stays");
            assertThat(client.get("/api/v1/overview")
                            .get("detector")
                            .get("version")
                            .intValue())
                    .isEqualTo(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aTornRecordIsCutOffAndADamagedOneIsNot(@TempDir Path folder) throws IOException {
        ServeOptions options = Example.options().withStore(folder);
        try (Service service = Example.start(options)) {
            Client client = new Client(service.address());
            client.ask("PUT", "/api/v1/review/n17", Map.of("verdict", "strange", "by", "ada"));
            assertThatThrownBy(() -> Example.start(options))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("is in use by another service");
        }
        Path journal = folder.resolve("journal");
        byte[] whole = Files.readAllBytes(journal);
        for (int cut : new int[] {1, 5, 13}) {
            byte[] torn = Arrays.copyOf(whole, whole.length + cut);
            System.arraycopy(whole, 8, torn, whole.length, cut);
            Files.write(journal, torn);
            try (Service service = Example.start(options)) {
                assertThat(new Client(service.address())
                                .get("/api/v1/nodes/n17")
                                .get("review")
                                .isNull())
                        .isFalse();
            }
            assertThat(Files.readAllBytes(journal)).isEqualTo(whole);
        }
        byte[] damaged = whole.clone();
        damaged[30] ^= 1;
        Files.write(journal, damaged);
        assertThatThrownBy(() -> Example.start(options))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("is damaged at byte 8");
        assertThat(Files.readAllBytes(journal)).isEqualTo(damaged);
    }

    @Test
    void itSpeaksTls(@TempDir Path folder) throws Exception {
        Path certificate = folder.resolve("cert.pem");
        Path key = folder.resolve("key.pem");
        Process made;
        try {
            made = new ProcessBuilder(
                            "openssl",
                            "req",
                            "-x509",
                            "-newkey",
                            "rsa:2048",
                            "-nodes",
                            "-days",
                            "2",
                            "-subj",
                            "/CN=localhost",
                            "-keyout",
                            key.toString(),
                            "-out",
                            certificate.toString())
                    .redirectErrorStream(true)
                    .start();
            made.getInputStream().readAllBytes();
        } catch (IOException e) {
            Assumptions.abort("openssl is not there");
            return;
        }
        assertThat(made.waitFor()).isZero();
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
        try (Service service = Example.start(Example.options().withTls(certificate, key))) {
            assertThat(service.address().getScheme()).isEqualTo("https");
            HttpResponse<String> response = HttpClient.newBuilder()
                    .sslContext(trusting)
                    .build()
                    .send(
                            HttpRequest.newBuilder(URI.create("https://localhost:"
                                            + service.address().getPort() + "/api/v1/overview"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Strict-Transport-Security"))
                    .isPresent();
        }
    }

    /** Takes any certificate: this one was made a moment ago. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
