// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import tools.jackson.databind.JsonNode;

/** What those see who run it: a stop that loses nothing, a log for machines, limits in words. */
class OperationTest {

    @Test
    void aStopFinishesWhatHasBegunAndTakesNothingNew(@TempDir Path folder) throws Exception {
        ServeOptions options = Example.options().withStore(folder.resolve("store"));
        byte[] body = Client.JSON.writeValueAsBytes(
                Map.of("nodes", List.of(Map.of("id", "late", "features", Example.row(20)))));
        Service service = Example.start(options);
        Thread stopping = new Thread(service::close);
        try (Socket socket =
                new Socket(service.address().getHost(), service.address().getPort())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/v1/score?keep=true HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Content-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(body, 0, body.length / 2);
            out.flush();
            waitUntilItRuns(service);
            stopping.start();
            Client client = new Client(service.address());
            int status = 200;
            for (int i = 0; i < 100 && status == 200; i++) {
                status = client.send("GET", "/api/v1/overview", null).statusCode();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(status).isEqualTo(503);
            assertThat(client.send("GET", "/health/live", null).statusCode()).isEqualTo(200);
            out.write(body, body.length / 2, body.length - body.length / 2);
            out.flush();
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
        }
        stopping.join(30_000);
        assertThat(stopping.isAlive()).isFalse();
        try (Service again = Example.start(options)) {
            assertThat(new Client(again.address())
                            .get("/api/v1/nodes/late")
                            .get("kept")
                            .booleanValue())
                    .isTrue();
        }
    }

    /** Two requests run: the one that waits for its body, and the one that asks for the number. */
    private static void waitUntilItRuns(Service service) throws InterruptedException {
        Client client = new Client(service.address());
        for (int i = 0; i < 200; i++) {
            String metrics = new String(client.send("GET", "/metrics", null).body(), StandardCharsets.UTF_8);
            if (metrics.contains("nescio_requests_running 2.0")) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("the request has not begun");
    }

    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    void everyRequestIsALineOfJsonWithoutIdsOfNodes() throws IOException {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Service service = Example.start(Example.options().withLog(true, false))) {
            Client client = new Client(service.address());
            client.get("/api/v1/nodes/n300");
            client.send("GET", "/api/v1/nodes/nobody", null);
        } finally {
            System.setErr(before);
        }
        List<JsonNode> lines = new ArrayList<>();
        log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("answered"))
                .forEach(line -> lines.add(Client.JSON.readTree(line)));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).get("route").stringValue()).isEqualTo("/api/v1/nodes/{id}");
        assertThat(lines.get(0).get("status").intValue()).isEqualTo(200);
        assertThat(lines.get(1).get("status").intValue()).isEqualTo(404);
        assertThat(lines.get(0).get("request").stringValue()).hasSize(36);
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("n300").doesNotContain("nobody");
    }

    @Test
    void tooManyRowsAndTooLongNamesAreToldTheirLimit() {
        try (Service service = Example.start(Example.options())) {
            Client client = new Client(service.address());
            String rows = "{\"id\":\"x\",\"features\":[1]},".repeat(10_001);
            assertThat(message(client, "POST", "/api/v1/score", "{\"nodes\":[" + rows + "{}]}", 413))
                    .isEqualTo("there are 10001 nodes, but a request may have at most 10000");
            String edges = "[\"n20\",\"n21\"],".repeat(100_001);
            assertThat(message(client, "POST", "/api/v1/score", "{\"edges\":[" + edges + "[]]}", 413))
                    .isEqualTo("there are 100001 edges, but a request may have at most 100000");
            String name = "x".repeat(1001);
            assertThat(message(client, "PUT", "/api/v1/review/n20", "{\"note\":\"" + name + "\",\"by\":\"a\"}", 422))
                    .isEqualTo("'note' has 1001 characters, but at most 1000 are taken");
        }
    }

    private static String message(Client client, String method, String path, String body, int status) {
        var response = client.send(method, path, body);
        assertThat(response.statusCode()).isEqualTo(status);
        return client.json(response).get("error").get("message").stringValue();
    }
}
