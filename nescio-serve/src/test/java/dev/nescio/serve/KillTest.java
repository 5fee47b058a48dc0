// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.detector.DetectorFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** A new store after so many kills: a start replays everything, and the test is about kills. */
    private static final int KILLS_PER_STORE = 5;

    /** What was acknowledged since the store was begun. */
    private final Set<String> kept = ConcurrentHashMap.newKeySet();

    private final AtomicInteger noted = new AtomicInteger();
    /** The notes that were acknowledged since the last start. */
    private final Set<String> newNotes = ConcurrentHashMap.newKeySet();
    /** What ended a writer other than the kill. */
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Test
    void nothingAcknowledgedIsLostAndNothingIsDoubled(@TempDir Path folder) throws Exception {
        Path detector = folder.resolve("detector.nescio");
        DetectorFile.write(Example.detector(), detector);
        Random random = new Random(Long.getLong("nescio.seed", 7));
        int kills = 0;
        int allKept = 0;
        int allNoted = 0;
        for (int first = 0; first < KILLS; first += KILLS_PER_STORE) {
            Path store = folder.resolve("store" + first);
            kept.clear();
            noted.set(0);
            newNotes.clear();
            for (int kill = first; kill < Math.min(KILLS, first + KILLS_PER_STORE); kill++) {
                Forked service = started(detector, store);
                check(new Client(service.address()), kill - first);
                List<Thread> writers = writers(service, kill);
                TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1500));
                service.kill();
                kills++;
                for (Thread writer : writers) {
                    writer.join();
                }
                assertThat(failures).isEmpty();
            }
            Forked last = started(detector, store);
            check(new Client(last.address()), KILLS_PER_STORE);
            last.kill();
            allKept += kept.size();
            allNoted += noted.get();
            System.out.println("serve: " + kills + " kills while " + CLIENTS + " clients wrote; " + allKept
                    + " kept nodes and " + allNoted + " reviews were acknowledged, none is lost");
        }
        assertThat(allKept).isGreaterThan(KILLS);
        assertThat(allNoted).isGreaterThan(KILLS);
    }

    private static Forked started(Path detector, Path store) throws IOException {
        Forked service = Forked.start(detector, store, 0);
        assertThat(service.address()).as("every start succeeds").isNotNull();
        return service;
    }

    private List<Thread> writers(Forked service, int round) {
        List<Thread> writers = new ArrayList<>();
        for (int c = 0; c < CLIENTS; c++) {
            int number = c;
            Thread writer = new Thread(() -> write(new Client(service.address()), round, number));
            writer.start();
            writers.add(writer);
        }
        return writers;
    }

    /** Writes until the service is gone. Every second node hangs on one that was kept before. */
    private void write(Client client, int round, int number) {
        try {
            for (int i = 0; ; i++) {
                String id = "k" + round + "-" + number + "-" + i;
                String edges = i % 2 == 0 ? "" : ",[\"" + id + "\",\"k" + round + "-" + number + "-" + (i - 1) + "\"]";
                client.ask(
                        "POST",
                        "/api/v1/score?keep=true",
                        "{\"nodes\":[{\"id\":\"" + id + "\",\"features\":"
                                + Client.JSON.writeValueAsString(Example.row(i % 400)) + "}],\"edges\":[[\"" + id
                                + "\",\"n" + (20 + i % 300) + "\"]" + edges + "]}",
                        "Idempotency-Key",
                        id);
                kept.add(id);
                String node = "n" + (20 + (number * 90 + i) % 360);
                String note = id + " was here";
                client.ask("PUT", "/api/v1/review/" + node, Map.of("note", note, "by", "writer" + number));
                newNotes.add(note);
                noted.incrementAndGet();
            }
        } catch (UncheckedIOException e) {
            // The service was killed, as it should be.
            Thread.yield();
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private void check(Client client, int killsBefore) {
        int mostUnacknowledged = CLIENTS * killsBefore;
        List<String> ids = ids(client);
        JsonNode overview = client.get("/api/v1/overview");
        int batches = overview.get("kept").get("batches").intValue();
        assertThat(ids).as("none doubled").doesNotHaveDuplicates();
        assertThat(new HashSet<>(ids)).as("none lost").containsAll(kept);
        assertThat(ids.size() - Example.GRAPH.nodes()).as("a node per batch").isEqualTo(batches);
        assertThat(batches).isBetween(kept.size(), kept.size() + mostUnacknowledged);
        List<JsonNode> actions = history(client);
        List<String> notes = actions.stream()
                .map(action -> action.get("after").get("note").stringValue())
                .toList();
        assertThat(notes).doesNotHaveDuplicates();
        assertThat(new HashSet<>(notes)).containsAll(newNotes);
        int all = actions.isEmpty() ? 0 : actions.get(0).get("number").intValue();
        assertThat(actions).as("the whole history").hasSize(all);
        assertThat(all).as("reviews").isBetween(noted.get(), noted.get() + mostUnacknowledged);
        newNotes.clear();
    }

    /** All of it, page by page, the newest first. */
    private static List<JsonNode> history(Client client) {
        List<JsonNode> all = new ArrayList<>();
        int before = Integer.MAX_VALUE;
        while (before > 1) {
            JsonNode page = client.get("/api/v1/review/history?limit=1000&before=" + before)
                    .get("actions");
            page.forEach(all::add);
            before =
                    page.isEmpty() ? 0 : page.get(page.size() - 1).get("number").intValue();
        }
        return all;
    }

    private static List<String> ids(Client client) {
        String table = new String(
                client.send("GET", "/api/v1/table?format=ndjson", null).body(), StandardCharsets.UTF_8);
        return table.lines()
                .map(line -> Client.JSON.readTree(line).get("node").stringValue())
                .toList();
    }

    @Test
    void aStartAfterAKillGivesTheSameScoresBitForBit(@TempDir Path folder) throws Exception {
        Path detector = folder.resolve("detector.nescio");
        DetectorFile.write(Example.detector(), detector);
        Path store = folder.resolve("store");
        Forked running = started(detector, store);
        Client client = new Client(running.address());
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
        running.kill();

        Forked again = started(detector, store);
        assertThat(scores(new Client(again.address()))).isEqualTo(before);
        again.kill();
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
