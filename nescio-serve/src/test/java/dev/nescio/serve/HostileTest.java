// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Requests that nobody means well with: none is answered by a failure of ours, none hangs, and the service answers afterwards.
 * {@code -Dnescio.hostile=100000} sends so many.
 */
class HostileTest {

    private static final int REQUESTS = Integer.getInteger("nescio.hostile", 400);

    private static final List<String> PATHS = List.of(
            "/api/v1/score",
            "/api/v1/score?keep=true",
            "/api/v1/review/n17",
            "/api/v1/review/undo",
            "/api/v1/decision",
            "/api/v1/detector",
            "/api/v1/nodes",
            "/api/v1/nodes/n17/ego",
            "/api/v1/nodes/%00",
            "/api/v1/nodes/%ff%fe",
            "/api/v1/nodes/..%2f..%2f..%2fetc%2fpasswd",
            "/assets/..%2f..%2f..%2f..%2fetc%2fpasswd",
            "/assets/....//....//etc/passwd",
            "/api/v1/nodes?limit=99999999999999999999",
            "/api/v1/nodes?alpha=NaN",
            "/api/v1/nodes?order=%3Cscript%3E",
            "/api/v1/table?format=../../x",
            "/v2/models/x/infer",
            "/%",
            "//",
            "/api/v1/nodes/;x=1");

    private static final List<String> BODIES = List.of(
            "",
            "{",
            "[]",
            "null",
            "\"text\"",
            "{\"nodes\":{}}",
            "{\"nodes\":[1]}",
            "{\"nodes\":[{\"id\":{}}]}",
            "{\"nodes\":[{\"id\":\"x\",\"features\":[1e999]}]}",
            "{\"nodes\":[{\"id\":\"x\",\"features\":[\"1\"]}]}",
            "{\"nodes\":[{\"id\":\"x\",\"features\":[1,2]}]}",
            "{\"nodes\":[{\"id\":\"x\",\"columns\":{\"nobody\":1}}]}",
            "{\"nodes\":[{\"id\":\"x\",\"columns\":{\"f0\":\"drei\"}}]}",
            "{\"nodes\":[{\"id\":\"x\",\"columns\":{\"f0\":1e308}}]}",
            "{\"nodes\":[{\"id\":\"\",\"columns\":{}}]}",
            "{\"edges\":[[\"a\"]]}",
            "{\"edges\":[[\"nobody\",\"n17\"]]}",
            "{\"edges\":[[\"n17\",\"n17\"]]}",
            "{\"alpha\":1e400}",
            "{\"alpha\":-1}",
            "{\"alpha\":\"0.1\"}",
            "{\"by\":7}",
            "{\"by\":\"\\u0000\"}",
            "{\"verdict\":\"maybe\",\"by\":\"x\"}",
            "{\"by\":\"a\",\"by\":\"b\"}",
            "{\"inputs\":[{\"name\":\"state_0\",\"shape\":[2000000000,2000000000],\"data\":[]}]}",
            "[".repeat(5000),
            "{\"nodes\":".repeat(3000),
            "9".repeat(20_000),
            "{\"nodes\":[" + "{},".repeat(2000) + "{}]}",
            "{\"by\":\"" + "x".repeat(100_000) + "\"}",
            "PK\u0003\u0004 not really a zip",
            "--B\r\nbroken form",
            "\uD83D\uDE00\u202E");

    private static final List<String> HEADERS = List.of(
            "Content-Type: application/json",
            "Content-Type: multipart/form-data; boundary=B",
            "Content-Type: multipart/form-data",
            "Content-Type: text/plain; charset=nonsense",
            "If-Match: elephant",
            "Idempotency-Key: " + "k".repeat(3000),
            "X-Flood: " + "f".repeat(60_000),
            "Authorization: Bearer \u00ff",
            "Transfer-Encoding: chunked",
            "Expect: 100-continue",
            "Range: bytes=0-0,-1",
            IntStream.range(0, 3000).mapToObj(i -> "X-" + i + ": y").collect(Collectors.joining("\r\n")));

    /** Requests that are right; one byte of them is not. */
    private static final List<String> RIGHT = List.of(
            "{\"nodes\":[{\"id\":\"x\",\"columns\":{\"f0\":1.5,\"f1\":-2e3,\"f2\":null}}],\"edges\":[[\"x\",\"n17\"]],\"keep\":false}",
            "{\"verdict\":\"strange\",\"label\":\"2\",\"note\":\"seen \\ud83e\\udd89\",\"by\":\"ada\"}",
            "{\"alpha\":0.07}",
            "{\"inputs\":[{\"name\":\"state_0\",\"datatype\":\"FP32\",\"shape\":[1,2],\"data\":[1,2]}]}",
            "--B\r\nContent-Disposition: form-data; name=\"nodes\"\r\n\r\nid,f0,f1\nx,1,2\r\n--B\r\nContent-Disposition:"
                    + " form-data; name=\"edges\"\r\n\r\nfrom,to\nx,n17\r\n--B--\r\n");

    private static final Set<Integer> FINE =
            Set.of(0, 100, 200, 400, 401, 403, 404, 405, 408, 409, 411, 413, 415, 417, 422, 429, 431, 501);
    private static final int THREADS = 4;
    private static final long MOST_GROWTH = 48L << 20;
    private static final long SLOWEST_MILLIS = 20_000;

    /** One request that nobody means well with. */
    private record Attack(String method, String path, String header, byte[] body) {

        static Attack drawn(Random random) {
            String method =
                    List.of("GET", "POST", "PUT", "DELETE", "PATCH", "BREW").get(random.nextInt(6));
            String path = PATHS.get(random.nextInt(PATHS.size()));
            String header = HEADERS.get(random.nextInt(HEADERS.size()));
            if (random.nextInt(3) > 0) {
                return new Attack(method, path, header, text(BODIES.get(random.nextInt(BODIES.size()))));
            }
            int which = random.nextInt(RIGHT.size());
            byte[] body = text(RIGHT.get(which));
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            return switch (which) {
                case 0 -> new Attack("POST", "/api/v1/score", HEADERS.get(0), body);
                case 1 -> new Attack("PUT", "/api/v1/review/n17", HEADERS.get(0), body);
                case 2 -> new Attack("PUT", "/api/v1/decision", HEADERS.get(0), body);
                case 3 -> new Attack("POST", "/v2/models/x/infer", HEADERS.get(0), body);
                default -> new Attack("POST", "/api/v1/score", HEADERS.get(1), body);
            };
        }

        private static byte[] text(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return method + " " + path + " " + header.substring(0, Math.min(60, header.length())) + " "
                    + new String(body, 0, Math.min(200, body.length), StandardCharsets.UTF_8);
        }
    }

    @Test
    void nothingHostileMakesItFail() throws Exception {
        try (Service service = Example.start(Example.options())) {
            Client client = new Client(service.address());
            double before = client.get("/api/v1/nodes/n300").get("epistemic").doubleValue();
            attack(service.address(), REQUESTS / 10, 1);
            long memory = usedMemory();
            int threads = Thread.activeCount();
            Map<Integer, Integer> answers = attack(service.address(), REQUESTS, 2);
            System.out.println("hostile requests: " + REQUESTS + ", answers by status " + answers + ", heap "
                    + (memory >> 20) + " -> " + (usedMemory() >> 20) + " MiB");
            assertThat(usedMemory() - memory).as("growth of the heap").isLessThan(MOST_GROWTH);
            assertThat(Thread.activeCount()).as("threads").isLessThan(threads + 16);
            assertThat(client.get("/api/v1/nodes/n300").get("epistemic").doubleValue())
                    .isEqualTo(before);
        }
    }

    private static long usedMemory() throws InterruptedException {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(200);
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Sends requests from several threads; returns how often each status was answered. */
    private static Map<Integer, Integer> attack(URI address, int requests, int seed) throws Exception {
        Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Random random = new Random(31L * seed + t);
                running.add(pool.submit(() -> {
                    for (int i = 0; i < requests / THREADS; i++) {
                        Attack attack = Attack.drawn(random);
                        long begin = System.nanoTime();
                        int status = send(address, attack);
                        assertThat(status).as(attack.toString()).isIn(FINE);
                        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
                                .as(attack.toString())
                                .isLessThan(SLOWEST_MILLIS);
                        answers.merge(status, 1, Integer::sum);
                    }
                    return null;
                }));
            }
            for (Future<?> future : running) {
                future.get();
            }
        } finally {
            pool.shutdownNow();
        }
        return answers;
    }

    /** The status of the answer; 0 where the service has closed the connection without one. */
    private static int send(URI address, Attack attack) throws IOException {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(45_000);
            OutputStream out = socket.getOutputStream();
            String head = attack.method + " " + attack.path
                    + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + attack.body.length
                    + "\r\n" + attack.header + "\r\n\r\n";
            try {
                out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                out.write(attack.body);
                out.flush();
            } catch (IOException e) {
                // The service need not read to the end what it refuses.
                return 0;
            }
            return status(socket);
        }
    }

    private static int status(Socket socket) throws IOException {
        try {
            byte[] begin = socket.getInputStream().readNBytes(12);
            return begin.length < 12 ? 0 : Integer.parseInt(new String(begin, 9, 3, StandardCharsets.US_ASCII));
        } catch (SocketException e) {
            return 0;
        }
    }

    /** Clients that send a byte now and then, in the body or in headers without end, while others go on with their work. */
    @Test
    void whoSendsSlowlyHoldsNobodyUp() throws Exception {
        int waves = Math.max(1, REQUESTS / 5000);
        ServeOptions options = Example.options().withLimits(40, Duration.ofSeconds(2), 1 << 20);
        try (Service service = Example.start(options)) {
            Client client = new Client(service.address());
            long slowest = 0;
            for (int wave = 0; wave < waves; wave++) {
                List<Socket> sockets = new ArrayList<>();
                for (int i = 0; i < 30; i++) {
                    sockets.add(slow(service.address(), i % 2 == 0));
                }
                for (int i = 0; sockets.stream().anyMatch(socket -> !socket.isClosed()); i++) {
                    assertThat(i).as("rounds of 100 ms until all are refused").isLessThan(400);
                    trickle(sockets);
                    long begin = System.nanoTime();
                    client.get("/api/v1/nodes/n300");
                    slowest = Math.max(slowest, System.nanoTime() - begin);
                    TimeUnit.MILLISECONDS.sleep(100);
                }
            }
            System.out.println("slow clients: " + 30 * waves + ", slowest answer to others "
                    + TimeUnit.NANOSECONDS.toMillis(slowest) + " ms");
            assertThat(TimeUnit.NANOSECONDS.toMillis(slowest)).isLessThan(2000);
        }
    }

    private static Socket slow(URI address, boolean inBody) throws IOException {
        Socket socket = new Socket(address.getHost(), address.getPort());
        String head = "POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\n"
                + (inBody ? "Content-Length: 100000\r\n\r\n{" : "X-Endless: ");
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.setSoTimeout(45_000);
        return socket;
    }

    /** A few more bytes on each connection; those that were answered or ended are closed. */
    private static void trickle(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            if (socket.isClosed()) {
                continue;
            }
            try {
                socket.getOutputStream().write(" ".repeat(600).getBytes(StandardCharsets.US_ASCII));
                if (socket.getInputStream().available() > 0) {
                    assertThat(status(socket)).isIn(400, 408, 413, 431);
                    socket.close();
                }
            } catch (SocketException e) {
                socket.close();
            }
        }
    }
}
