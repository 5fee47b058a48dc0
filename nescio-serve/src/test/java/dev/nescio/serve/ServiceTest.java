// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.ScoreTable;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.score.ScoreFormats;
import dev.nescio.io.table.ParquetTable;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the service answers, over HTTP. */
class ServiceTest {

    private Service service;
    private Client client;

    @BeforeEach
    void start() {
        service = Example.start(Example.options());
        client = new Client(service.address());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void everyNodeHasTheScoreThatTheCommandGivesIt() {
        Scores scores = Example.detector().score(Example.GRAPH);
        double[] pValues = scores.pValues();
        for (int v = 0; v < 40; v++) {
            JsonNode node =
                    client.get("/api/v1/nodes/" + Client.encoded(scores.ids().name(v)));
            assertThat(node.get("id").stringValue()).isEqualTo(scores.ids().name(v));
            assertThat(node.get("epistemic").doubleValue()).isEqualTo(scores.epistemic()[v]);
            assertThat(node.get("aleatoric").doubleValue()).isEqualTo(scores.aleatoric(v));
            assertThat(node.get("predicted").stringValue()).isEqualTo(scores.predicted(v));
            assertThat(node.get("role").stringValue())
                    .isEqualTo(scores.roles().get(v).text());
            if (scores.isTraining(v)) {
                assertThat(node.get("pValue").isNull()).isTrue();
            } else {
                assertThat(node.get("pValue").doubleValue()).isEqualTo(pValues[v]);
            }
            assertThat(node.get("degree").intValue())
                    .isEqualTo(Example.GRAPH.adjacency().degree(v));
        }
    }

    @Test
    void theTableIsTheFileOfTheCommandByteForByte(@TempDir Path folder) throws IOException {
        Scores scores = Example.detector().score(Example.GRAPH);
        ScoreTable table = ScoreTable.of(scores, Decisions.of(scores, Decisions.Wishes.NONE));
        for (String format : List.of("csv", "ndjson", "parquet")) {
            Path file = folder.resolve("scores." + format);
            ScoreFormats.of(file).write(table, null, file);
            byte[] answer =
                    client.send("GET", "/api/v1/table?format=" + format, null).body();
            if (format.equals("parquet")) {
                Path answered = Files.write(folder.resolve("answered.parquet"), answer);
                assertThat(rows(answered)).isEqualTo(rows(file)).hasSize(401);
            } else {
                assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo(Files.readString(file));
            }
        }
    }

    private static List<List<String>> rows(Path parquet) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (ParquetTable table = ParquetTable.open(parquet)) {
            rows.add(table.columns());
            while (table.next()) {
                rows.add(IntStream.range(0, table.columns().size())
                        .mapToObj(column -> String.valueOf(table.text(column)))
                        .toList());
            }
        }
        return rows;
    }

    @Test
    void pagesGoThroughAllNodesInOrder() {
        List<Double> seen = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (int offset = 0; offset < 400; offset += 150) {
            JsonNode page = client.get("/api/v1/nodes?order=-epistemic&limit=150&offset=" + offset);
            assertThat(page.get("total").intValue()).isEqualTo(400);
            page.get("nodes").forEach(node -> {
                seen.add(node.get("epistemic").doubleValue());
                ids.add(node.get("id").stringValue());
            });
        }
        assertThat(ids).hasSize(400);
        assertThat(seen).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        JsonNode flagged = client.get("/api/v1/nodes?flagged=true&limit=1000");
        assertThat(flagged.get("total").intValue())
                .isEqualTo(client.get("/api/v1/overview").get("flagged").intValue())
                .isPositive();
        flagged.get("nodes")
                .forEach(node -> assertThat(node.get("pValue").doubleValue()).isLessThanOrEqualTo(0.05));
        assertThat(client.get("/api/v1/nodes?q=SCRIPT").get("total").intValue()).isEqualTo(1);
        assertThat(client.get("/api/v1/nodes?role=training&order=id")
                        .get("total")
                        .intValue())
                .isEqualTo(client.get("/api/v1/overview").get("training").intValue());
    }

    private static Map<String, Object> node(String id, int like) {
        float[] row = Example.row(like);
        Map<String, Object> columns = new LinkedHashMap<>();
        for (int f = 0; f < row.length; f++) {
            columns.put("f" + f, row[f]);
        }
        return Map.of("id", id, "columns", columns);
    }

    @Test
    void newNodesAreScoredAsOnTheGrownGraphAndNotKept() {
        JsonNode answer = client.ask(
                "POST",
                "/api/v1/score",
                Map.of(
                        "nodes",
                        List.of(node("x", 20), node("y", 21)),
                        "edges",
                        List.of(List.of("x", "n17"), List.of("y", "x"), List.of("🦉", "y"))));
        Growth growth = new Growth(Example.GRAPH)
                .node("x", Example.row(20))
                .node("y", Example.row(21))
                .edge("x", "n17")
                .edge("y", "x")
                .edge("🦉", "y");
        Scores expected = Example.detector().score(growth.build());
        for (int i = 0; i < 2; i++) {
            assertThat(answer.get("nodes").get(i).get("epistemic").doubleValue())
                    .isCloseTo(expected.epistemic()[400 + i], within(1e-6 * expected.epistemic()[400 + i]));
            assertThat(answer.get("nodes").get(i).get("role").stringValue()).isEqualTo("new");
        }
        assertThat(answer.get("batch").isNull()).isTrue();
        assertThat(client.send("GET", "/api/v1/nodes/x", null).statusCode()).isEqualTo(404);
    }

    @Test
    void whatIsKeptJoinsTheGraphAndChangesWhatItTouches() {
        JsonNode first = client.ask(
                "POST",
                "/api/v1/score",
                Map.of(
                        "nodes",
                        List.of(node("x", 20)),
                        "edges",
                        List.of(List.of("x", "n17"), List.of("n30", "n31")),
                        "keep",
                        true));
        client.ask(
                "POST",
                "/api/v1/score?keep=true",
                Map.of("nodes", List.of(node("y", 21)), "edges", List.of(List.of("y", "x"))));
        Graph grown = new Growth(Example.GRAPH)
                .node("x", Example.row(20))
                .node("y", Example.row(21))
                .edge("x", "n17")
                .edge("n30", "n31")
                .edge("y", "x")
                .build();
        Scores expected = Example.detector().score(grown);
        assertThat(first.get("batch").intValue()).isEqualTo(1);
        assertThat(first.get("changed").intValue()).isPositive();
        for (int v = 0; v < grown.nodes(); v++) {
            JsonNode now =
                    client.get("/api/v1/nodes/" + Client.encoded(grown.ids().name(v)));
            assertThat(now.get("epistemic").doubleValue())
                    .isCloseTo(expected.epistemic()[v], within(1e-6 * expected.epistemic()[v]));
            assertThat(now.get("degree").intValue()).isEqualTo(grown.adjacency().degree(v));
            assertThat(now.get("kept").booleanValue()).isEqualTo(v >= 400);
        }
        assertThat(client.get("/api/v1/batches").get("batches").size()).isEqualTo(2);
        assertThat(client.get("/api/v1/overview").get("kept").get("nodes").intValue())
                .isEqualTo(2);
        assertThat(client.send("POST", "/api/v1/score?keep=true", "{\"nodes\":[{\"id\":\"x\",\"columns\":{\"f0\":1}}]}")
                        .statusCode())
                .isEqualTo(409);
    }

    @Test
    void theSameKeyIsKeptOnce() {
        Map<String, Object> body = Map.of("nodes", List.of(node("x", 20)), "keep", true);
        JsonNode first = client.ask("POST", "/api/v1/score", body, "Idempotency-Key", "k1");
        JsonNode again = client.ask("POST", "/api/v1/score", body, "Idempotency-Key", "k1");
        assertThat(again).isEqualTo(first);
        assertThat(client.get("/api/v1/overview").get("nodes").intValue()).isEqualTo(401);
        Map<String, Object> other = Map.of("nodes", List.of(node("z", 20)), "keep", true);
        assertThat(client.send("POST", "/api/v1/score", Client.JSON.writeValueAsString(other), "Idempotency-Key", "k1")
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void tablesOfNewNodesAreTaken() {
        StringBuilder header = new StringBuilder("id");
        StringBuilder row = new StringBuilder("x");
        float[] features = Example.row(20);
        for (int f = 0; f < features.length; f++) {
            header.append(",f").append(f);
            row.append(',').append(features[f]);
        }
        String body =
                "--B\r\nContent-Disposition: form-data; name=\"nodes\"; filename=\"n.csv\"\r\nContent-Type: text/csv\r\n\r\n"
                        + header + "\n" + row
                        + "\n\r\n--B\r\nContent-Disposition: form-data; name=\"edges\"\r\n\r\nfrom,to\nx,n17\nx,a/b\n\r\n--B--\r\n";
        JsonNode table = client.ask("POST", "/api/v1/score", body, "Content-Type", "multipart/form-data; boundary=B");
        JsonNode json = client.ask(
                "POST",
                "/api/v1/score",
                Map.of("nodes", List.of(node("x", 20)), "edges", List.of(List.of("x", "n17"), List.of("x", "a/b"))));
        assertThat(table).isEqualTo(json);
    }

    @Test
    void tablesWithoutIdsAndRowsWithoutValuesAreRefused() {
        for (String nodes : List.of("no-such-column\nx\n", "id\nx\n", "id,f0\nx,NA\n")) {
            String body = "--B\r\nContent-Disposition: form-data; name=\"nodes\"\r\n\r\n" + nodes + "\r\n--B--\r\n";
            assertThat(client.send("POST", "/api/v1/score", body, "Content-Type", "multipart/form-data; boundary=B")
                            .statusCode())
                    .as(nodes)
                    .isEqualTo(422);
        }
    }

    /** What keeping would change is told before anything is kept. */
    @Test
    void whatWouldChangeIsWhatChanges() {
        Map<String, Object> body =
                Map.of("nodes", List.of(node("x", 20)), "edges", List.of(List.of("x", "n17"), List.of("x", "n30")));
        int would = client.ask("POST", "/api/v1/score", body).get("changed").intValue();
        int did = client.ask("POST", "/api/v1/score?keep=true", body)
                .get("changed")
                .intValue();
        assertThat(would).isEqualTo(did).isGreaterThan(2);
    }

    @Test
    void edgesAreCountedOnceAndOmittedNodesToo() {
        assertThat(client.get("/api/v1/overview").get("edges").longValue())
                .isEqualTo(Example.GRAPH.adjacency().edges() / 2);
        JsonNode ego = client.get("/api/v1/nodes/n17/ego?hops=2&limit=20");
        Set<Integer> drawn = new HashSet<>();
        Set<Integer> within = new HashSet<>();
        for (JsonNode node : ego.get("nodes")) {
            int number = Example.GRAPH.ids().find(node.get("id").stringValue()).orElseThrow();
            drawn.add(number);
            if (node.get("hop").intValue() < 2) {
                IntStream.of(Example.GRAPH.adjacency().row(number)).forEach(within::add);
            }
        }
        within.removeAll(drawn);
        assertThat(ego.get("omitted").intValue()).isEqualTo(within.size()).isPositive();
    }

    @Test
    void aNoteAloneLeavesANodeOpen() {
        client.ask("PUT", "/api/v1/review/n17", Map.of("note", "look again", "by", "ada"));
        assertThat(client.get("/api/v1/nodes?reviewed=true").get("total").intValue())
                .isZero();
        client.ask("PUT", "/api/v1/review/n17", Map.of("label", "1", "note", "look again", "by", "ada"));
        assertThat(client.get("/api/v1/nodes?reviewed=true").get("total").intValue())
                .isEqualTo(1);
        assertThat(client.get("/api/v1/nodes?reviewed=false").get("total").intValue())
                .isEqualTo(399);
        List<String> next = new ArrayList<>();
        client.get("/api/v1/overview")
                .get("next")
                .forEach(step -> next.add(
                        step.get("text").stringValue() + " " + step.get("href").stringValue()));
        assertThat(next).contains("Train again with 1 label #/detector");
    }

    @Test
    void aNodeIsExplained() {
        JsonNode why = client.get("/api/v1/nodes/n17/explanation");
        double sum = 0;
        for (JsonNode layer : why.get("layers")) {
            sum += layer.get("share").doubleValue();
        }
        assertThat(sum).isCloseTo(1, within(1e-6));
        assertThat(why.get("headline").stringValue()).startsWith("Node n17 ");
        assertThat(why.get("compared").get(0).get("features").size()).isPositive();
        JsonNode ego = client.get("/api/v1/nodes/n17/ego?hops=2&limit=20");
        assertThat(ego.get("nodes").size()).isEqualTo(20);
        assertThat(ego.get("omitted").intValue()).isPositive();
        assertThat(ego.get("nodes").get(0).get("hop").intValue()).isZero();
    }

    @Test
    void decisionsPromiseAndAreKept() {
        JsonNode strict = client.get("/api/v1/decision?alpha=0.05");
        JsonNode loose = client.get("/api/v1/decision?alpha=0.2");
        assertThat(loose.get("flagged").intValue())
                .isGreaterThan(strict.get("flagged").intValue());
        assertThat(client.get("/api/v1/decision?falseAlarms=20")
                        .get("expectedFalseAlarms")
                        .doubleValue())
                .isCloseTo(20, within(1e-9));
        client.ask("PUT", "/api/v1/decision", Map.of("alpha", 0.2));
        JsonNode overview = client.get("/api/v1/overview");
        assertThat(overview.get("flagged")).isEqualTo(loose.get("flagged"));
        assertThat(overview.get("promise").stringValue()).contains("20 %");
        assertThat(client.get("/api/v1/nodes?flagged=true&alpha=0.05").get("total"))
                .isEqualTo(strict.get("flagged"));
    }

    @Test
    void peopleDecideAndTakeBack() {
        JsonNode queue = client.get("/api/v1/review/queue?limit=3");
        String id = queue.get("nodes").get(0).get("id").stringValue();
        String path = "/api/v1/review/" + Client.encoded(id);
        JsonNode review = client.ask("PUT", path, Map.of("verdict", "strange", "label", "1", "by", "ada"));
        assertThat(review.get("version").longValue()).isEqualTo(1);
        assertThat(client.get("/api/v1/review/queue").get("open").intValue())
                .isEqualTo(queue.get("open").intValue() - 1);
        assertThat(client.send("PUT", path, "{\"verdict\":\"ordinary\",\"by\":\"bob\"}", "If-Match", "0")
                        .statusCode())
                .isEqualTo(409);
        client.ask("PUT", path, Map.of("verdict", "ordinary", "by", "ada"), "If-Match", "1");
        assertThat(client.get("/api/v1/nodes/" + Client.encoded(id))
                        .get("review")
                        .get("verdict")
                        .stringValue())
                .isEqualTo("ordinary");
        JsonNode undone = client.ask("POST", "/api/v1/review/undo", Map.of("by", "ada"));
        assertThat(undone.get("action").get("after").get("verdict").stringValue())
                .isEqualTo("strange");
        assertThat(new String(
                        client.send("GET", "/api/v1/review/labels.csv", null).body(), StandardCharsets.UTF_8))
                .isEqualToNormalizingNewlines("id,label\n" + id + ",1\n");
        client.ask("POST", "/api/v1/review/undo", Map.of("by", "ada"));
        assertThat(client.send("POST", "/api/v1/review/undo", "{\"by\":\"ada\"}")
                        .statusCode())
                .isEqualTo(409);
        assertThat(client.send("POST", "/api/v1/review/undo", "{\"by\":\"bob\"}")
                        .statusCode())
                .isEqualTo(409);
        client.ask("POST", "/api/v1/review/redo", Map.of("by", "ada"));
        JsonNode redone = client.ask("POST", "/api/v1/review/redo", Map.of("by", "ada"));
        assertThat(redone.get("canRedo").booleanValue()).isFalse();
        assertThat(client.get("/api/v1/review/history").get("actions").size()).isEqualTo(6);
        client.send("DELETE", path + "?by=ada", null);
        assertThat(client.get("/api/v1/overview").get("review").get("done").intValue())
                .isZero();
        JsonNode spread = client.get("/api/v1/review/queue?order=spread&limit=5");
        Set<String> distinct = new HashSet<>();
        spread.get("nodes").forEach(node -> distinct.add(node.get("id").stringValue()));
        assertThat(distinct).hasSize(5);
    }

    /** What somebody else has decided since stays; what lies before it can still be taken back. */
    @Test
    void undoAndRedoLeaveOutWhatOthersHaveDecidedSince() {
        client.ask("PUT", "/api/v1/review/n17", Map.of("verdict", "strange", "by", "ada"));
        client.ask("PUT", "/api/v1/review/n18", Map.of("verdict", "strange", "by", "ada"));
        client.ask("PUT", "/api/v1/review/n18", Map.of("verdict", "ordinary", "by", "bob"));
        JsonNode undone = client.ask("POST", "/api/v1/review/undo", Map.of("by", "ada"));
        assertThat(undone.get("action").get("id").stringValue()).isEqualTo("n17");
        assertThat(undone.get("notes").get(0).stringValue())
                .isEqualTo("somebody else has decided about node 'n18' since: that decision stays");
        assertThat(undone.get("canUndo").booleanValue()).isFalse();
        assertThat(verdict("n18")).isEqualTo("ordinary");
        client.ask("PUT", "/api/v1/review/n17", Map.of("verdict", "ordinary", "by", "bob"));
        HttpResponse<byte[]> refused = client.send("POST", "/api/v1/review/redo", "{\"by\":\"ada\"}");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(client.json(refused).get("error").get("message").stringValue())
                .isEqualTo(
                        "somebody else has decided about node 'n17' since: there is nothing left that ada could do again");
        assertThat(client.get("/api/v1/review/history?by=ada").get("canRedo").booleanValue())
                .isFalse();
    }

    private String verdict(String id) {
        return client.get("/api/v1/nodes/" + id).get("review").get("verdict").stringValue();
    }

    @Test
    void everyWriteThatComesAgainHappensOnce(@TempDir Path folder) throws IOException {
        for (int i = 0; i < 2; i++) {
            client.ask(
                    "PUT",
                    "/api/v1/review/n17",
                    Map.of("verdict", "strange", "by", "ada"),
                    "Idempotency-Key",
                    "put",
                    "If-Match",
                    "0");
        }
        client.ask("PUT", "/api/v1/review/n17", Map.of("verdict", "ordinary", "by", "ada"));
        JsonNode undone = null;
        for (int i = 0; i < 2; i++) {
            undone = client.ask("POST", "/api/v1/review/undo", Map.of("by", "ada"), "Idempotency-Key", "undo");
        }
        assertThat(undone.get("canUndo").booleanValue()).isTrue();
        assertThat(verdict("n17")).isEqualTo("strange");
        for (int i = 0; i < 2; i++) {
            client.ask("PUT", "/api/v1/decision", Map.of("alpha", 0.2), "Idempotency-Key", "alpha");
        }
        assertThat(client.send("PUT", "/api/v1/decision", "{\"alpha\":0.1}", "Idempotency-Key", "alpha")
                        .statusCode())
                .isEqualTo(422);
        Path file = folder.resolve("second.nescio");
        DetectorFile.write(Example.train(2), file);
        for (int i = 0; i < 2; i++) {
            client.upload("/api/v1/detector", Files.readAllBytes(file), "Idempotency-Key", "load");
        }
        assertThat(client.get("/api/v1/overview").get("detector").get("version").intValue())
                .isEqualTo(2);
        assertThat(client.get("/api/v1/review/history").get("actions").size()).isEqualTo(3);
    }

    @Test
    void theHistoryHasPages() {
        for (int i = 0; i < 5; i++) {
            client.ask("PUT", "/api/v1/review/n17", Map.of("note", "note " + i, "by", "ada"));
        }
        List<Integer> numbers = new ArrayList<>();
        client.get("/api/v1/review/history?limit=2&before=4")
                .get("actions")
                .forEach(action -> numbers.add(action.get("number").intValue()));
        assertThat(numbers).containsExactly(3, 2);
    }

    /** {@code train --labels} would read them as missing. */
    @Test
    void labelsThatTablesTakeForNoneAreRefused() {
        for (String label : List.of("", " ", "NA", "nan", "?", " null ", "two\nlines", "a\tb")) {
            assertThat(client.send(
                                    "PUT",
                                    "/api/v1/review/n17",
                                    Client.JSON.writeValueAsString(Map.of("label", label, "by", "ada")))
                            .statusCode())
                    .as(label)
                    .isEqualTo(422);
        }
        client.ask("PUT", "/api/v1/review/n17", Map.of("label", "not a class yet", "by", "ada"));
    }

    /** No address can hold them. */
    @Test
    void nodesWhoseIdsAreDotsAreAskedForInAnotherWay() {
        client.ask(
                "POST",
                "/api/v1/score?keep=true",
                Map.of("nodes", List.of(node(".", 20), node("..", 21)), "edges", List.of(List.of("..", "."))));
        for (String id : List.of(".", "..")) {
            assertThat(client.get("/api/v1/nodes/-?id=" + id).get("id").stringValue())
                    .isEqualTo(id);
            assertThat(client.get("/api/v1/nodes/-/explanation?id=" + id)
                            .get("id")
                            .stringValue())
                    .isEqualTo(id);
            assertThat(client.get("/api/v1/nodes/-/ego?id=" + id).get("centre").stringValue())
                    .isEqualTo(id);
            client.ask("PUT", "/api/v1/review/-?id=" + id, Map.of("verdict", "strange", "by", "ada"));
            assertThat(client.send("DELETE", "/api/v1/review/-?by=ada&id=" + id, null)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /** Whoever asks at once gets what is known, and what is not known yet is told. */
    @Test
    void driftIsFoundInTheBackground() {
        Graph graph = BuiltinGraphs.make("blocks?nodes=600&features=2");
        DetectorOptions few = DetectorOptions.defaults()
                .withTraining(TrainingOptions.of(0.01, 0, 2, 2, 1))
                .withEstimators("jlde");
        Detector detector = Detector.train(graph, graph.split("0"), few, TrainingListener.NONE);
        Source source = new Source.OfGraph("small", detector, graph, schema -> graph);
        List<Map<String, Object>> nodes = IntStream.range(0, 30)
                .mapToObj(i -> Map.<String, Object>of("id", "day-" + i, "features", List.of(i, 2)))
                .toList();
        try (Service small = Example.start(Example.options(), source)) {
            Client asks = new Client(small.address());
            asks.ask("POST", "/api/v1/score?keep=true", Map.of("nodes", nodes));
            asks.ask("POST", "/api/v1/score?keep=true", Map.of("edges", List.of(List.of("1", "2"))));
            JsonNode batches = Example.knownDrift(asks);
            assertThat(batches.get(0).get("drift").get("pValue").isNumber()).isTrue();
            assertThat(batches.get(0).get("drift").get("tooFew").booleanValue()).isFalse();
            assertThat(batches.get(1).get("drift").get("tooFew").booleanValue()).isTrue();
            JsonNode overview = asks.get("/api/v1/overview");
            assertThat(overview.get("driftPending").intValue()).isZero();
            assertThat(overview.get("drift").get(0)).isEqualTo(batches.get(0).get("drift"));
        }
    }

    @Test
    void anotherDetectorTakesTheOldOnesPlace(@TempDir Path folder) throws Exception {
        client.ask("POST", "/api/v1/score?keep=true", Map.of("nodes", List.of(node("x", 20))));
        Path file = folder.resolve("second.nescio");
        DetectorFile.write(Example.train(2), file);
        assertThat(client.send("POST", "/api/v1/detector", "not a detector").statusCode())
                .isEqualTo(422);
        HttpResponse<byte[]> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(service.address().resolve("/api/v1/detector?name=second"))
                                .POST(HttpRequest.BodyPublishers.ofFile(file))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        JsonNode changed = client.json(answer);
        assertThat(changed.get("before").get("name").stringValue()).isEqualTo("example");
        assertThat(changed.get("after").get("name").stringValue()).isEqualTo("second");
        Scores scores = DetectorFile.read(file).score(Example.GRAPH);
        JsonNode node = client.get("/api/v1/nodes/n17");
        assertThat(node.get("epistemic").doubleValue())
                .isCloseTo(scores.epistemic()[Example.GRAPH.ids().find("n17").orElseThrow()], within(1e-6));
        assertThat(client.get("/api/v1/overview").get("detector").get("version").intValue())
                .isEqualTo(2);
        assertThat(client.get("/api/v1/nodes/x").get("kept").booleanValue()).isTrue();
    }

    @Test
    void theMapShowsEveryNode() {
        JsonNode map = client.get("/api/v1/map?limit=500");
        assertThat(map.get("points").get("x").size()).isEqualTo(400);
        assertThat(map.get("sampled").booleanValue()).isFalse();
        double first = map.get("explained").get(0).doubleValue();
        double second = map.get("explained").get(1).doubleValue();
        assertThat(first).isBetween(second, 1.0);
        double[] x = IntStream.range(0, 400)
                .mapToDouble(i -> map.get("points").get("x").get(i).doubleValue())
                .toArray();
        double[] y = IntStream.range(0, 400)
                .mapToDouble(i -> map.get("points").get("y").get(i).doubleValue())
                .toArray();
        double product =
                IntStream.range(0, 400).mapToDouble(i -> x[i] * y[i]).average().orElseThrow();
        assertThat(product).as("principal components do not go together").isCloseTo(0, within(1e-3));
        assertThat(client.get("/api/v1/map?limit=50").get("sampled").booleanValue())
                .isTrue();
    }

    @Test
    void refusalsAreSentencesAndNameNoPlaceOnTheMachine() {
        Map<String, Integer> wrong = Map.ofEntries(
                Map.entry("/api/v1/nodes/nobody", 404),
                Map.entry("/api/v1/nodes?limit=0", 400),
                Map.entry("/api/v1/nodes?limit=1001", 400),
                Map.entry("/api/v1/nodes?order=colour", 400),
                Map.entry("/api/v1/nodes?flaged=true", 400),
                Map.entry("/api/v1/decision?alpha=2", 400),
                Map.entry("/api/v1/table?format=exe", 422),
                Map.entry("/api/v2/nothing", 404),
                Map.entry("/assets/..%2f..%2fopenapi.json", 404),
                Map.entry("/assets/%2e%2e/openapi.json", 404),
                Map.entry("/v2/models/example/ready", 404));
        wrong.forEach((path, status) -> {
            HttpResponse<byte[]> response = client.send("GET", path, null);
            boolean isEscape = path.contains("2e") || path.contains("2f");
            assertThat(response.statusCode()).as(path).isIn(status, isEscape ? 400 : status);
            JsonNode error = client.json(response).get("error");
            if (path.startsWith("/v2/")) {
                // The form of the inference protocol.
                assertThat(error.stringValue()).isNotBlank().doesNotContain("/tmp", "dev.nescio", "Exception");
            } else {
                assertThat(error.get("status").intValue()).isEqualTo(response.statusCode());
                assertThat(error.get("message").stringValue()).doesNotContain("/tmp", "dev.nescio", "Exception");
            }
            assertThat(response.headers().firstValue("X-Request-Id")).isPresent();
            assertThat(response.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none'");
        });
        assertThat(client.send("POST", "/api/v1/nodes", "{}").statusCode()).isEqualTo(405);
    }

    @Test
    void otherSitesMayNotAsk() {
        assertThat(client.send("GET", "/api/v1/overview", null, "Origin", "https://evil.example")
                        .statusCode())
                .isEqualTo(403);
        String own = "http://" + service.address().getAuthority();
        assertThat(client.send("GET", "/api/v1/overview", null, "Origin", own).statusCode())
                .isEqualTo(200);
    }

    @Test
    void whoRunsItSeesWhatItDoes() {
        client.get("/api/v1/overview");
        assertThat(client.get("/health/ready").get("ready").booleanValue()).isTrue();
        String metrics = new String(client.send("GET", "/metrics", null).body(), StandardCharsets.UTF_8);
        assertThat(metrics)
                .contains(
                        "nescio_requests_seconds_count{method=\"GET\",route=\"/api/v1/overview\",status=\"200\"} 1",
                        "nescio_nodes 400.0");
        try (Service loading = Service.listen(Example.options())) {
            Client early = new Client(loading.address());
            assertThat(early.send("GET", "/health/live", null).statusCode()).isEqualTo(200);
            assertThat(early.send("GET", "/health/ready", null).statusCode()).isEqualTo(503);
            assertThat(early.send("GET", "/api/v1/overview", null).statusCode()).isEqualTo(503);
        }
    }
}
