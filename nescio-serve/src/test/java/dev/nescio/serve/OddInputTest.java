// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tables as spreadsheets write them, and texts that no file could hold. */
class OddInputTest {

    private static Service service;
    private static Client client;

    @BeforeAll
    static void start() {
        service = Example.start(Example.options());
        client = new Client(service.address());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private record Answer(int status, JsonNode body) {

        String message() {
            return body.get("error").get("message").stringValue();
        }
    }

    private static Answer upload(String nodes, Charset charset) throws Exception {
        String form = "--B\r\nContent-Disposition: form-data; name=\"nodes\"; filename=\"nodes.csv\"\r\n\r\n" + nodes
                + "\r\n--B--\r\n";
        HttpResponse<byte[]> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(service.address() + "api/v1/score"))
                                .header("Content-Type", "multipart/form-data; boundary=B")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(form.getBytes(charset)))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), Client.JSON.readTree(response.body()));
    }

    /** In Latin-1 two different ids would become one. */
    @Test
    void aTableThatIsNotUtf8IsRefused() throws Exception {
        Answer answer = upload("id,f0\ncafé,1\ncafè,2\n", StandardCharsets.ISO_8859_1);
        assertThat(answer.status).isEqualTo(422);
        assertThat(answer.message()).isEqualTo("the part 'nodes' is not text in UTF-8; save the table as UTF-8 first");
        assertThat(upload("id,f0\ncafé,1\ncafè,2\n", StandardCharsets.UTF_8).status)
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\uFEFFid,f0\na,1\n", "id;f0\na;1\n", "id\tf0\na\t1\n", " id , f0\na,1\n", "id,f0\r\na,1\r\n"})
    void tablesOfSpreadsheetsAreTaken(String table) throws Exception {
        Answer answer = upload(table, StandardCharsets.UTF_8);
        assertThat(answer.status).as(String.valueOf(answer.body)).isEqualTo(200);
        assertThat(answer.body.get("nodes").get(0).get("id").stringValue()).isEqualTo("a");
        assertThat(answer.body.get("nodes").get(0).get("epistemic").doubleValue())
                .isEqualTo(upload("id,f0\na,1\n", StandardCharsets.UTF_8)
                        .body
                        .get("nodes")
                        .get(0)
                        .get("epistemic")
                        .doubleValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1d", "0x1p3", "1f", "twelve", "1,5"})
    void whatIsNoNumberInATableIsNoneHere(String field) throws Exception {
        Answer answer = upload("id;f0\na;" + field + "\n", StandardCharsets.UTF_8);
        assertThat(answer.status).isEqualTo(422);
        assertThat(answer.message())
                .isEqualTo("row 1 of the nodes, 'a': column 'f0' takes numbers, got '" + field + "'");
    }

    @Test
    void rowsOfAnotherLengthAreNamed() throws Exception {
        Answer answer = upload("id,f0\na,1\nb,2,3\n", StandardCharsets.UTF_8);
        assertThat(answer.status).isEqualTo(422);
        assertThat(answer.message()).isEqualTo("row 2 of the nodes has 3 fields, but the header has 2");
    }

    /** A label or an id says nothing of a node that the network could look at. */
    @Test
    void aNodeWithoutAnyColumnOfTheDetectorIsRefused() {
        HttpResponse<byte[]> refused =
                client.send("POST", "/api/v1/score", "{\"nodes\":[{\"id\":\"b\",\"columns\":{\"label\":\"x\"}}]}");
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(client.json(refused).get("error").get("message").stringValue())
                .isEqualTo("node 'b' has no value in any column");
    }

    @Test
    void twoColumnsOfOneNameAndOpenQuotesAreRefused() throws Exception {
        assertThat(upload("id,f0,f0\na,1,2\n", StandardCharsets.UTF_8).message())
                .isEqualTo("two columns of the nodes are called 'f0'");
        assertThat(upload("id,f0\n\"a,1\n", StandardCharsets.UTF_8).message())
                .isEqualTo("the CSV of the nodes cannot be read; a quotation mark may be missing");
    }

    /** Half of a pair of surrogates is a text in JSON, but no address and no table can hold it. */
    @Test
    void halfACharacterIsRefused() {
        HttpResponse<byte[]> node = client.send(
                "POST", "/api/v1/score?keep=true", "{\"nodes\":[{\"id\":\"\\ud800\",\"columns\":{\"f0\":1}}]}");
        assertThat(node.statusCode()).isEqualTo(422);
        HttpResponse<byte[]> note =
                client.send("PUT", "/api/v1/review/n17", "{\"note\":\"a \\udc00 b\",\"by\":\"ada\"}");
        assertThat(note.statusCode()).isEqualTo(422);
        assertThat(client.json(note).get("error").get("message").stringValue())
                .isEqualTo("'note' holds half a character (a surrogate without its pair)");
        assertThat(client.send("PUT", "/api/v1/review/n17", "{\"note\":\"a \\ud83e\\udd89 b\",\"by\":\"ada\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    /** Somebody decides while somebody else takes decisions away: each is told about their own. */
    @Test
    void decisionsThatVanishAtOnceAreAnsweredAllTheSame() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                boolean decides = t % 2 == 0;
                running.add(pool.submit(() -> {
                    for (int i = 0; i < 150; i++) {
                        int status = decides
                                ? client.send("PUT", "/api/v1/review/n21", "{\"verdict\":\"strange\",\"by\":\"ada\"}")
                                        .statusCode()
                                : client.send("DELETE", "/api/v1/review/n21?by=ben", null)
                                        .statusCode();
                        assertThat(status).isIn(200, 404, 409);
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(client.ask("PUT", "/api/v1/review/n21", Map.of("verdict", "ordinary", "by", "ada"))
                        .get("verdict")
                        .stringValue())
                .isEqualTo("ordinary");
    }
}
