// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
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
            "Range: bytes=0-0,-1");

    @Test
    void nothingHostileMakesItFail() throws IOException {
        try (Service service = Example.start(Example.options())) {
            Client client = new Client(service.address());
            double before = client.get("/api/v1/nodes/n300").get("epistemic").doubleValue();
            Random random = new Random(1);
            for (int i = 0; i < REQUESTS; i++) {
                String method =
                        List.of("GET", "POST", "PUT", "DELETE", "PATCH", "BREW").get(random.nextInt(6));
                String path = PATHS.get(random.nextInt(PATHS.size()));
                String body = BODIES.get(random.nextInt(BODIES.size()));
                String header = HEADERS.get(random.nextInt(HEADERS.size()));
                int status = send(service.address(), method, path, header, body);
                assertThat(status)
                        .as(method + " " + path + " " + header + " " + body.substring(0, Math.min(60, body.length())))
                        .isIn(0, 100, 200, 400, 401, 403, 404, 405, 408, 409, 411, 413, 415, 417, 422, 431, 501);
            }
            assertThat(client.get("/api/v1/nodes/n300").get("epistemic").doubleValue())
                    .isEqualTo(before);
        }
    }

    /** The status of the answer; 0 where the service has closed the connection without one. */
    private static int send(URI address, String method, String path, String header, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(45_000);
            OutputStream out = socket.getOutputStream();
            String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                    + bytes.length + "\r\n" + header + "\r\n\r\n";
            try {
                out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                // The service need not read to the end what it refuses.
                return 0;
            }
            byte[] begin;
            try {
                begin = socket.getInputStream().readNBytes(12);
            } catch (SocketException e) {
                return 0;
            }
            return begin.length < 12 ? 0 : Integer.parseInt(new String(begin, 9, 3, StandardCharsets.US_ASCII));
        }
    }
}
