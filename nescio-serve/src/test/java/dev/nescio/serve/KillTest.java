// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.detector.DetectorFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A service is killed at random moments while clients write: what was acknowledged is there afterwards, once, with the same scores.
 * {@code -Dnescio.kills=200} kills so often.
 */
class KillTest {

    private static final int KILLS = Integer.getInteger("nescio.kills", 5);
    private static final int CLIENTS = 4;

    /** The scores of nodes when they were acknowledged, and the notes of reviews. */
    private final Map<String, Double> kept = new ConcurrentHashMap<>();

    private final Map<String, String> noted = new ConcurrentHashMap<>();

    /** A running service. */
    private record Running(Process process, URI address) {}

    private static Running start(Path detector, Path store) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ForkedService.class.getName(),
                        detector.toString(),
                        store.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String address = out.readLine();
        assertThat(address).as("every start succeeds").startsWith("http://");
        return new Running(process, URI.create(address));
    }

    @Test
    void nothingAcknowledgedIsLostAndNothingIsDoubled(@TempDir Path folder) throws Exception {
        Path detector = folder.resolve("detector.nescio");
        DetectorFile.write(Example.detector(), detector);
        Path store = folder.resolve("store");
        Random random = new Random(7);
        for (int kill = 0; kill <= KILLS; kill++) {
            Running running = start(detector, store);
            check(new Client(running.address));
            List<Thread> writers = new ArrayList<>();
            for (int c = 0; c < CLIENTS && kill < KILLS; c++) {
                int number = c;
                int round = kill;
                Thread writer = new Thread(() -> write(new Client(running.address), round, number));
                writer.start();
                writers.add(writer);
            }
            if (kill < KILLS) {
                TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1500));
            }
            running.process.destroyForcibly().waitFor();
            for (Thread writer : writers) {
                writer.join();
            }
        }
        assertThat(kept).hasSizeGreaterThan(KILLS);
        assertThat(noted).hasSizeGreaterThan(KILLS);
    }

    /** Writes until the service is gone. Every second node hangs on one that was kept before. */
    private void write(Client client, int round, int number) {
        try {
            for (int i = 0; ; i++) {
                String id = "k" + round + "-" + number + "-" + i;
                String edges = i % 2 == 0 ? "" : ",[\"" + id + "\",\"k" + round + "-" + number + "-" + (i - 1) + "\"]";
                JsonNode answer = client.ask(
                        "POST",
                        "/api/v1/score?keep=true",
                        "{\"nodes\":[{\"id\":\"" + id + "\",\"features\":"
                                + Client.JSON.writeValueAsString(Example.row(i % 400)) + "}],\"edges\":[[\"" + id
                                + "\",\"n" + (20 + i % 300) + "\"]" + edges + "]}",
                        "Idempotency-Key",
                        id);
                kept.put(id, answer.get("nodes").get(0).get("epistemic").doubleValue());
                String node = "n" + (20 + (number * 90 + i) % 360);
                String note = id + " was here";
                client.ask("PUT", "/api/v1/review/" + node, Map.of("note", note, "by", "writer" + number));
                noted.put(node + " " + id, note);
            }
        } catch (UncheckedIOException e) {
            // The service was killed, as it should be.
            Thread.yield();
        }
    }

    private void check(Client client) {
        JsonNode overview = client.get("/api/v1/overview");
        int nodes = overview.get("nodes").intValue();
        int batches = overview.get("kept").get("batches").intValue();
        assertThat(nodes - 400).as("a node per batch, none doubled").isEqualTo(batches);
        // What was written but not acknowledged may be there, too: at most one per client and kill.
        assertThat(batches).isBetween(kept.size(), kept.size() + CLIENTS * (KILLS + 1));
        for (String id : kept.keySet()) {
            JsonNode node = client.get("/api/v1/nodes/" + id);
            assertThat(node.get("kept").booleanValue()).isTrue();
        }
        List<String> notes = new ArrayList<>();
        client.get("/api/v1/review/history?limit=1000")
                .get("actions")
                .forEach(action -> notes.add(action.get("after").get("note").stringValue()));
        assertThat(notes).doesNotHaveDuplicates();
        if (notes.size() < 1000) {
            assertThat(notes).containsAll(noted.values());
        }
    }

    @Test
    void aStartAfterAKillGivesTheSameScoresBitForBit(@TempDir Path folder) throws Exception {
        Path detector = folder.resolve("detector.nescio");
        DetectorFile.write(Example.detector(), detector);
        Path store = folder.resolve("store");
        Running running = start(detector, store);
        Client client = new Client(running.address);
        for (int i = 0; i < 12; i++) {
            client.ask(
                    "POST",
                    "/api/v1/score?keep=true",
                    "{\"nodes\":[{\"id\":\"k" + i + "\",\"features\":" + Client.JSON.writeValueAsString(Example.row(i))
                            + "}],\"edges\":[[\"k" + i + "\",\"n" + (20 + 7 * i) + "\"],[\"n" + (30 + i) + "\",\"n"
                            + (200 + i) + "\"]]}");
        }
        client.ask("PUT", "/api/v1/decision", Map.of("alpha", 0.11));
        String before = scores(client);
        running.process.destroyForcibly().waitFor();

        Running again = start(detector, store);
        assertThat(scores(new Client(again.address))).isEqualTo(before);
        again.process.destroyForcibly().waitFor();
    }

    private static String scores(Client client) {
        List<String> rows = new ArrayList<>();
        client.get("/api/v1/nodes?limit=1000&order=id")
                .get("nodes")
                .forEach(node -> rows.add(node.get("id") + " " + node.get("epistemic") + " " + node.get("probabilities")
                        + " " + node.get("flagged") + " " + node.get("degree")));
        return String.join("\n", rows);
    }
}
