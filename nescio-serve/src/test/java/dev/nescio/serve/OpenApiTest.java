// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The document says what the service answers: every path is asked, every answer is checked. */
class OpenApiTest {

    private static final DenseMatrix STATES = states();

    private final Set<String> asked = new HashSet<>();

    private static DenseMatrix states() {
        Random random = new Random(3);
        float[] values = new float[200 * 3];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return DenseMatrix.of(200, 3, values);
    }

    private static EmbeddingDetector fitted() {
        NodeSet training = NodeSet.of(IntStream.range(0, 100).toArray());
        int[] labels = new int[200];
        Arrays.fill(labels, Graph.UNLABELLED);
        Evidence evidence = Evidence.of(List.of(STATES), training);
        return EmbeddingDetector.fit(
                new EmbeddingDetector.Data(
                        evidence,
                        NodeSet.of(IntStream.range(100, 200).toArray()),
                        labels,
                        NodeIds.numbered(200),
                        "test"),
                List.of(Estimators.parse("jlde")),
                List.of());
    }

    private void check(Client client, JsonNode document, String method, String template, String path, String body) {
        HttpResponse<byte[]> response = client.send(method, path, body);
        assertThat(response.statusCode())
                .as(path + ": " + new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        checkAnswer(document, method, template, response);
    }

    private void checkAnswer(JsonNode document, String method, String template, HttpResponse<byte[]> response) {
        JsonNode operation = document.get("paths").get(template).get(method.toLowerCase(Locale.ROOT));
        asked.add(method + " " + template);
        String type = response.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
        JsonNode content = operation.get("responses").get("200").get("content");
        assertThat(content.propertyNames()).as(template).contains(type);
        if (type.equals("application/json")) {
            assertThat(new Schemas(document)
                            .problems(content.get(type).get("schema"), Client.JSON.readTree(response.body()), template))
                    .isEmpty();
        }
    }

    @Test
    void everyAnswerIsAsTheDocumentSays(@TempDir Path folder) throws Exception {
        JsonNode document;
        try (Service service = Example.start(Example.options())) {
            Client client = new Client(service.address());
            document = client.get("/openapi.json");
            String node = "{\"id\":\"x\",\"features\":" + Client.JSON.writeValueAsString(Example.row(3)) + "}";
            String a = "/api/v1/";
            String score = "{\"nodes\":[" + node + "],\"edges\":[[\"x\",\"n17\"]],\"keep\":true}";
            List<String[]> requests = List.of(
                    new String[] {"POST", a + "score", a + "score", score},
                    new String[] {
                        "PUT",
                        a + "review/{id}",
                        a + "review/n17",
                        "{\"verdict\":\"strange\",\"label\":\"1\",\"by\":\"ada\"}"
                    },
                    new String[] {"POST", a + "review/undo", a + "review/undo", "{\"by\":\"ada\"}"},
                    new String[] {"POST", a + "review/redo", a + "review/redo", "{\"by\":\"ada\"}"},
                    new String[] {"GET", a + "review/history", a + "review/history?by=ada", null},
                    new String[] {"GET", a + "review/queue", a + "review/queue?order=spread", null},
                    new String[] {"GET", a + "review/labels.csv", a + "review/labels.csv", null},
                    new String[] {"GET", a + "nodes/{id}", a + "nodes/n17", null},
                    new String[] {"DELETE", a + "review/{id}", a + "review/n17?by=ada", null},
                    new String[] {"GET", a + "overview", a + "overview", null},
                    new String[] {"GET", a + "nodes", a + "nodes?limit=1000", null},
                    new String[] {"GET", a + "table", a + "table", null},
                    new String[] {"GET", a + "columns", a + "columns", null},
                    new String[] {"GET", a + "batches", a + "batches", null},
                    new String[] {"GET", a + "nodes/{id}/explanation", a + "nodes/x/explanation", null},
                    new String[] {"GET", a + "nodes/{id}/ego", a + "nodes/n17/ego?hops=2", null},
                    new String[] {"GET", a + "decision", a + "decision?alpha=0.1", null},
                    new String[] {"PUT", a + "decision", a + "decision", "{\"alpha\":0.1}"},
                    new String[] {"GET", a + "map", a + "map", null},
                    new String[] {"GET", "/health/live", "/health/live", null},
                    new String[] {"GET", "/health/ready", "/health/ready", null},
                    new String[] {"GET", "/metrics", "/metrics", null},
                    new String[] {"GET", "/openapi.json", "/openapi.json", null});
            for (String[] request : requests) {
                check(client, document, request[0], request[1], request[2], request[3]);
            }
            Path file = folder.resolve("second.nescio");
            DetectorFile.write(Example.train(2), file);
            HttpRequest upload = HttpRequest.newBuilder(service.address().resolve(a + "detector"))
                    .POST(HttpRequest.BodyPublishers.ofFile(file))
                    .build();
            checkAnswer(
                    document,
                    "POST",
                    a + "detector",
                    HttpClient.newHttpClient().send(upload, HttpResponse.BodyHandlers.ofByteArray()));
            JsonNode refusal = client.json(client.send("GET", a + "nodes/nobody", null));
            assertThat(new Schemas(document)
                            .problems(document.get("components").get("schemas").get("Error"), refusal, "error"))
                    .isEmpty();
        }
        inference(document);
        Set<String> documented = new HashSet<>();
        JsonNode paths = document.get("paths");
        for (String path : paths.propertyNames()) {
            for (String method : paths.get(path).propertyNames()) {
                documented.add(method.toUpperCase(Locale.ROOT) + " " + path);
            }
        }
        assertThat(asked).isEqualTo(documented);
    }

    /** A parameter that is not known is refused with the list of those that are: the document has the same. */
    @Test
    void everyParameterIsInTheDocument() {
        try (Service service = Example.start(Example.options())) {
            Client client = new Client(service.address());
            JsonNode paths = client.get("/openapi.json").get("paths");
            int withParameters = 0;
            for (String path : paths.propertyNames()) {
                for (String method : paths.get(path).propertyNames()) {
                    Set<String> documented = new HashSet<>();
                    for (JsonNode parameter : paths.get(path).get(method).path("parameters")) {
                        if (parameter.get("in").stringValue().equals("query")) {
                            documented.add(parameter.get("name").stringValue());
                        }
                    }
                    String address = path.replace("{id}", "n17").replaceAll("[{][a-z]+[}]", "x") + "?no-such=1";
                    assertThat(known(client, method, address))
                            .as(method + " " + path)
                            .isEqualTo(documented);
                    withParameters += documented.isEmpty() ? 0 : 1;
                }
            }
            assertThat(withParameters).isGreaterThan(8);
        }
    }

    private static Set<String> known(Client client, String method, String address) {
        HttpResponse<byte[]> response = client.send(method.toUpperCase(Locale.ROOT), address, null);
        String body = new String(response.body(), StandardCharsets.UTF_8);
        if (!body.contains("there is no parameter 'no-such'; parameters are ")) {
            return Set.of();
        }
        String message = Client.JSON.readTree(body).get("error").get("message").stringValue();
        return Set.of(message.replaceFirst(".*parameters are ", "").split(", "));
    }

    /** What is refused has the form that the document gives, with a status that it names. */
    @Test
    void everyRefusalIsAsTheDocumentSays() {
        try (Service service = Example.start(Example.options().withLimits(40, Duration.ofSeconds(30), 2000))) {
            Client client = new Client(service.address());
            JsonNode document = client.get("/openapi.json");
            String a = "/api/v1/";
            List<String[]> requests = List.of(
                    new String[] {"400", "GET", a + "nodes", a + "nodes?limit=none", null},
                    new String[] {"400", "GET", a + "decision", a + "decision?alpha=2", null},
                    new String[] {"400", "POST", a + "score", a + "score", "{"},
                    new String[] {"404", "GET", a + "nodes/{id}", a + "nodes/nobody", null},
                    new String[] {"404", "GET", a + "nodes/{id}/ego", a + "nodes/nobody/ego", null},
                    new String[] {"404", "PUT", a + "review/{id}", a + "review/nobody", "{}"},
                    new String[] {"404", "DELETE", a + "review/{id}", a + "review/n17?by=ada", null},
                    new String[] {"409", "POST", a + "review/undo", a + "review/undo", "{\"by\":\"ada\"}"},
                    new String[] {"413", "POST", a + "score", a + "score", " ".repeat(2001)},
                    new String[] {"422", "POST", a + "score", a + "score", "{\"nodes\":[]}"},
                    new String[] {"422", "POST", a + "detector", a + "detector", "no detector"},
                    new String[] {"404", "GET", "/v2/models/{name}", "/v2/models/nobody", null});
            for (String[] request : requests) {
                HttpResponse<byte[]> response = client.send(request[1], request[3], request[4]);
                assertThat(response.statusCode()).as(request[3]).isEqualTo(Integer.parseInt(request[0]));
                JsonNode refusal = document.get("paths")
                        .get(request[2])
                        .get(request[1].toLowerCase(Locale.ROOT))
                        .get("responses")
                        .get("default");
                assertThat(refusal.get("description").stringValue())
                        .as(request[2])
                        .contains(request[0]);
                assertThat(new Schemas(document)
                                .problems(
                                        refusal.get("content")
                                                .get("application/json")
                                                .get("schema"),
                                        client.json(response),
                                        request[3]))
                        .isEmpty();
            }
        }
    }

    @Test
    void everyParameterIsExplained() {
        try (Service service = Service.listen(Example.options())) {
            JsonNode paths = new Client(service.address()).get("/openapi.json").get("paths");
            for (String path : paths.propertyNames()) {
                for (JsonNode operation : paths.get(path)) {
                    for (JsonNode parameter : operation.path("parameters")) {
                        assertThat(parameter.path("description").asString())
                                .as(path + " " + parameter.get("name"))
                                .isNotBlank();
                    }
                }
            }
        }
    }

    private void inference(JsonNode document) {
        EmbeddingDetector detector = fitted();
        try (Service service = Service.listen(Example.options())) {
            service.serve(new Source.OfStates("mine", detector));
            Client client = new Client(service.address());
            check(client, document, "GET", "/v2", "/v2", null);
            check(client, document, "GET", "/v2/health/live", "/v2/health/live", null);
            check(client, document, "GET", "/v2/health/ready", "/v2/health/ready", null);
            check(client, document, "GET", "/v2/models/{name}", "/v2/models/mine", null);
            check(client, document, "GET", "/v2/models/{name}/ready", "/v2/models/mine/ready", null);
            String body =
                    "{\"id\":\"7\",\"inputs\":[{\"name\":\"state_0\",\"shape\":[2,3],\"datatype\":\"FP32\",\"data\":[0.5,0,0,9,9,9]}]}";
            check(client, document, "POST", "/v2/models/{name}/infer", "/v2/models/mine/infer", body);
            JsonNode outputs = client.ask("POST", "/v2/models/mine/infer", body).get("outputs");
            double[] expected = detector.score(
                            Evidence.of(List.of(DenseMatrix.of(2, 3, new float[] {0.5f, 0, 0, 9, 9, 9})), NodeSet.of()),
                            NodeIds.numbered(2),
                            Progress.NONE)
                    .epistemic();
            List<Double> answered = new ArrayList<>();
            outputs.get(0).get("data").forEach(value -> answered.add(value.doubleValue()));
            assertThat(answered).containsExactly(expected[0], expected[1]);
            assertThat(outputs.get(2).get("data").get(1).booleanValue()).isTrue();
            bytesAndVersions(client, document, answered);
            assertThat(client.send("GET", "/api/v1/overview", null).statusCode())
                    .isEqualTo(404);
        }
    }

    /** What clients of Triton send unless told otherwise: tensors as bytes behind the JSON. */
    private void bytesAndVersions(Client client, JsonNode document, List<Double> expected) {
        for (String type : List.of("FP32", "FP64")) {
            ByteBuffer values = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
            for (double value : new double[] {0.5, 0, 0, 9, 9, 9}) {
                if (type.equals("FP32")) {
                    values.putFloat((float) value);
                } else {
                    values.putDouble(value);
                }
            }
            byte[] tensor = Arrays.copyOf(values.array(), values.position());
            byte[] head = ("{\"inputs\":[{\"name\":\"state_0\",\"shape\":[2,3],\"datatype\":\"" + type
                            + "\",\"parameters\":{\"binary_data_size\":" + tensor.length
                            + "}}],\"parameters\":{\"binary_data_output\":true}}")
                    .getBytes(StandardCharsets.UTF_8);
            byte[] body = Arrays.copyOf(head, head.length + tensor.length);
            System.arraycopy(tensor, 0, body, head.length, tensor.length);
            String[] length = {"Inference-Header-Content-Length", "" + head.length};
            List<Double> answered = new ArrayList<>();
            client.upload("/v2/models/mine/versions/1/infer", body, length)
                    .get("outputs")
                    .get(0)
                    .get("data")
                    .forEach(value -> answered.add(value.doubleValue()));
            assertThat(answered).isEqualTo(expected);
            String cut = new String(body, 0, body.length - 4, StandardCharsets.ISO_8859_1);
            JsonNode refused = client.json(client.send("POST", "/v2/models/mine/infer", cut, length));
            assertThat(refused.get("error").stringValue())
                    .isEqualTo("the input 'state_0' is said to have more or other bytes than follow");
        }
        assertThat(client.send("GET", "/v2/models/mine/versions/2", null).statusCode())
                .isEqualTo(404);
        String template = "/v2/models/{name}/versions/{version}";
        check(client, document, "GET", template, "/v2/models/mine/versions/1", null);
        check(client, document, "GET", template + "/ready", "/v2/models/mine/versions/1/ready", null);
        check(
                client,
                document,
                "POST",
                template + "/infer",
                "/v2/models/mine/versions/1/infer",
                "{\"inputs\":[{\"name\":\"state_0\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[0.5,0,0]}]}");
    }

    @Test
    void theCheckerFindsWhatIsWrong() {
        JsonNode document = Client.JSON.readTree("{\"components\":{\"schemas\":{}}}");
        JsonNode schema = Client.JSON.readTree(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"],\"additionalProperties\":false}");
        Schemas schemas = new Schemas(document);
        assertThat(schemas.problems(schema, Client.JSON.readTree("{\"a\":1}"), "x"))
                .isEmpty();
        assertThat(schemas.problems(schema, Client.JSON.readTree("{\"a\":1.5,\"b\":2}"), "x"))
                .hasSize(2);
        assertThat(schemas.problems(schema, Client.JSON.readTree("{}"), "x")).containsExactly("x: a is missing");
    }
}
