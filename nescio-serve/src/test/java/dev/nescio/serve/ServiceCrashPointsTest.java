// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.detector.DetectorFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A service that is killed between any two changes on disk, one moment after the other: it starts again, knows what it has acknowledged, and
 * comes to the same end as one that nobody has killed. {@code -Dnescio.crashes=1000} tries every moment, otherwise a few.
 */
class ServiceCrashPointsTest {

    private static final int MOST = Integer.getInteger("nescio.crashes", 3);
    /** Whether every moment is tried, and more is asked for. */
    private static final boolean ALL = MOST >= 1000;

    private static final int STEP = ALL ? 1 : 7;
    private static final int KILLED = 137;

    @TempDir
    Path folder;

    /** Something that a client asks for, again after a kill, and how to see that it was done. */
    private interface Wish {
        void ask(Client client);

        boolean isDone(Client client);
    }

    private record Keep(String id, int likeNode, String neighbour) implements Wish {
        @Override
        public void ask(Client client) {
            client.ask(
                    "POST",
                    "/api/v1/score?keep=true",
                    Map.of(
                            "nodes",
                            List.of(Map.of("id", id, "features", Example.row(likeNode))),
                            "edges",
                            List.of(List.of(id, neighbour))),
                    "Idempotency-Key",
                    id);
        }

        @Override
        public boolean isDone(Client client) {
            return client.send("GET", "/api/v1/nodes/" + id, null).statusCode() == 200;
        }
    }

    private record Note(String id, String note) implements Wish {
        @Override
        public void ask(Client client) {
            if (!isDone(client)) {
                client.ask("PUT", "/api/v1/review/" + id, Map.of("note", note, "label", "2", "by", "ada"));
            }
        }

        @Override
        public boolean isDone(Client client) {
            JsonNode review = client.get("/api/v1/nodes/" + id).get("review");
            return !review.isNull() && review.get("note").stringValue().equals(note);
        }
    }

    private record Alpha(double alpha) implements Wish {
        @Override
        public void ask(Client client) {
            client.ask("PUT", "/api/v1/decision", Map.of("alpha", alpha));
        }

        @Override
        public boolean isDone(Client client) {
            return client.get("/api/v1/decision").get("alpha").doubleValue() == alpha;
        }
    }

    private record Load(Path detector) implements Wish {
        @Override
        public void ask(Client client) {
            try {
                client.upload("/api/v1/detector?name=second", Files.readAllBytes(detector));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean isDone(Client client) {
            return client.get("/api/v1/overview")
                    .get("detector")
                    .get("name")
                    .stringValue()
                    .equals("second");
        }
    }

    private List<Wish> wishes(Path second) {
        List<Wish> wishes = new ArrayList<>(List.of(
                new Keep("k1", 30, "n31"),
                new Note("n40", "first"),
                new Keep("k2", 50, "k1"),
                new Alpha(0.11),
                new Load(second),
                new Note("n41", "second"),
                new Keep("k3", 70, "n31")));
        for (int i = 0; ALL && i < 8; i++) {
            wishes.add(i % 2 == 0 ? new Keep("m" + i, 80 + i, "n" + (90 + i)) : new Note("n" + (50 + i), "more " + i));
        }
        return wishes;
    }

    @Test
    void aServiceComesToTheSameEndWhereverItIsKilled() throws Exception {
        Path detector = folder.resolve("first.nescio");
        Path second = folder.resolve("second.nescio");
        DetectorFile.write(Example.detector(), detector);
        DetectorFile.write(Example.train(2), second);
        String right = run(detector, folder.resolve("store"), wishes(second), 0);
        int kills = 0;
        for (int moment = 1; kills < MOST; moment += STEP) {
            String end = run(detector, folder.resolve("store" + moment), wishes(second), moment);
            if (!wasKilled) {
                break;
            }
            assertThat(end).as("killed at moment " + moment).isEqualTo(right);
            kills++;
        }
        System.out.println("serve: killed at " + kills + " moments");
        assertThat(kills).isGreaterThan(2);
    }

    private boolean wasKilled;

    /** Asks for everything, starts the service again once it has died, and returns all scores and reviews. */
    private String run(Path detector, Path store, List<Wish> wishes, int moment) throws Exception {
        wasKilled = false;
        List<Wish> acknowledged = new ArrayList<>();
        Forked service = startedAgain(Forked.start(detector, store, moment), detector, store);
        Client client = new Client(Objects.requireNonNull(service.address()));
        try {
            for (Wish wish : wishes) {
                try {
                    wish.ask(client);
                } catch (UncheckedIOException e) {
                    service = startedAgain(service, detector, store);
                    client = new Client(Objects.requireNonNull(service.address()));
                    for (Wish known : acknowledged) {
                        assertThat(known.isDone(client))
                                .as("%s, killed at %d", known, moment)
                                .isTrue();
                    }
                    if (!(wish instanceof Load && wish.isDone(client))) {
                        wish.ask(client);
                    }
                }
                acknowledged.add(wish);
            }
            return end(client);
        } finally {
            service.kill();
        }
    }

    private Forked startedAgain(Forked service, Path detector, Path store) throws Exception {
        if (service.address() != null && service.process().isAlive() && !isDead(service)) {
            return service;
        }
        assertThat(service.process().waitFor()).isEqualTo(KILLED);
        wasKilled = true;
        Forked again = Forked.start(detector, store, 0);
        assertThat(again.address()).as("every start succeeds").isNotNull();
        return again;
    }

    private static boolean isDead(Forked service) {
        try {
            new Client(Objects.requireNonNull(service.address())).get("/health/live");
            return false;
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    /** What is the same however often the service was started. */
    private static String end(Client client) {
        List<String> rows = new ArrayList<>();
        client.get("/api/v1/nodes?limit=1000&order=id").get("nodes").forEach(node -> {
            JsonNode review = node.get("review");
            rows.add(node.get("id") + " " + node.get("epistemic") + " " + node.get("probabilities") + " "
                    + node.get("flagged") + " " + node.get("degree") + " "
                    + (review.isNull() ? "" : review.get("label") + " " + review.get("note")));
        });
        rows.add(client.get("/api/v1/overview").get("kept").toString());
        return String.join("\n", rows);
    }
}
