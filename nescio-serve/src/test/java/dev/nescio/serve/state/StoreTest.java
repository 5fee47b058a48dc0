// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadInput;
import dev.nescio.serve.http.Limits;
import dev.nescio.serve.http.Live;
import dev.nescio.serve.journal.Disk;
import dev.nescio.serve.journal.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreTest {

    private static Detector trained(Graph graph) {
        DetectorOptions options = DetectorOptions.defaults()
                .with(ModelOptions.HIDDEN, 8)
                .withTraining(TrainingOptions.of(0.01, 0, 2, 2, 1))
                .withEstimators("jlde");
        return Detector.train(graph, graph.split("0"), options, TrainingListener.NONE);
    }

    /** In the smaller graph so many nodes are touched that all are scored at once, in the larger one some at a time. */
    @ParameterizedTest
    @ValueSource(ints = {3000, 12000})
    void whatManyEdgesTouchIsScoredAgainAfterwards(int nodes) throws InterruptedException {
        Graph graph = BuiltinGraphs.make("blocks?nodes=" + nodes + "&features=6&degree=10");
        Detector detector = trained(graph);
        try (Store store = new Store(new Store.Start("many", detector, graph, schema -> graph), null)) {
            Change.Keep edges = edgesThatTouch(store.state(), 2001);
            Map<String, ?> answer = store.submit(Store.entry(edges, null, null)).join();
            assertThat((Integer) answer.get("changed")).isGreaterThan(2000);
            assertThat(store.state().staleNodes() > nodes / 4).isEqualTo(nodes == 3000);
            while (store.state().staleNodes() > 0) {
                Thread.sleep(5);
            }
            State settled = store.state();
            Scores fresh = detector.score(settled.overlay().toGraph());
            for (int node = 0; node < nodes; node++) {
                double expected = fresh.epistemic()[node];
                assertThat(settled.columns().epistemic(node)).isEqualTo(expected, offset(1e-5 * Math.abs(expected)));
            }
        }
    }

    private static Change.Keep edgesThatTouch(State state, int wanted) {
        List<List<String>> edges = new ArrayList<>();
        for (int v = 0; touched(state, edges) < wanted; v += 2) {
            edges.add(List.of("" + v, "" + (v + 1)));
        }
        return new Change.Keep(List.of(), edges);
    }

    private static int touched(State state, List<List<String>> edges) {
        Additions.Grown grown = Additions.grown(state.overlay(), new Change.Keep(List.of(), edges));
        return grown.overlay()
                .touchedSince(state.overlay(), state.loaded().rounds())
                .size();
    }

    @ParameterizedTest
    @CsvSource({"3, 4", "4, 3"})
    void aDetectorThatKnowsOtherColumnsReadsTheTableAgain(int columnsBefore, int columnsAfter) {
        Graph plain = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Graph before = table(plain, columnsBefore);
        Graph after = table(plain, columnsAfter);
        GraphReader reader = schema -> after.schema().equals(schema) ? after : before;
        try (Store store = new Store(new Store.Start("before", trained(before), before, reader), null)) {
            Map<String, Object> columns = new HashMap<>();
            IntStream.range(0, columnsBefore).forEach(f -> columns.put("f" + f, f));
            Change.NewNode node = new Change.NewNode("new", columns, null);
            store.submit(Store.entry(new Change.Keep(List.of(node), List.of(List.of("new", "7"))), null, null))
                    .join();
            Detector detector = trained(after);
            store.detectors().save(detector);
            String file = store.detectors().fingerprint(detector);
            store.submit(Store.entry(new Change.Load("after", file, false), null, null))
                    .join();
            State state = store.state();
            assertThat(state.loaded().name()).isEqualTo("after");
            assertThat(state.nodes()).isEqualTo(301);
            Scores fresh = detector.score(state.overlay().toGraph());
            assertThat(state.columns().epistemic(300)).isEqualTo(fresh.epistemic()[300]);
        }
    }

    /** A graph with its first features alone, as columns of a table. */
    private static Graph table(Graph graph, int columns) {
        float[] values = new float[graph.nodes() * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = graph.features()
                    .get(i / columns, Math.min(i % columns, graph.features().columns() - 1));
        }
        return graph.with()
                .features(DenseMatrix.of(graph.nodes(), columns, values))
                .schema(schema(columns))
                .build();
    }

    private static TableSchema schema(int columns) {
        List<TableSchema.Column> all = IntStream.range(0, columns)
                .mapToObj(f -> new TableSchema.Column(
                        "f" + f, TableSchema.Kind.NUMBERS, List.of(new TableSchema.Scale(0, 1, 0)), List.of()))
                .toList();
        return new TableSchema("id", "label", "from", "to", false, all);
    }

    private static Store opened(String name, Detector detector, Graph graph, GraphReader reader, Path folder) {
        return new Store(new Store.Start(name, detector, graph, reader), Journal.open(folder, Disk.REAL));
    }

    private static void keep(Store store, String id, int columns) {
        Map<String, Object> values = new HashMap<>();
        IntStream.range(0, columns).forEach(f -> values.put("f" + f, f));
        Change.NewNode node = new Change.NewNode(id, values, null);
        store.submit(Store.entry(new Change.Keep(List.of(node), List.of(List.of(id, "7"))), null, null))
                .join();
    }

    /** Tables are the same whatever columns a detector looks at. */
    @ParameterizedTest
    @CsvSource({"3, 4", "4, 3"})
    void aRestartWithADetectorOfOtherColumnsLoadsIt(int columnsBefore, int columnsAfter, @TempDir Path folder) {
        Graph plain = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Graph before = table(plain, columnsBefore);
        Graph after = table(plain, columnsAfter);
        GraphReader reader = schema -> schema(columnsAfter).equals(schema) ? after : before;
        Detector second = trained(after);
        try (Store store = opened("first", trained(before), before, reader, folder)) {
            keep(store, "new", columnsBefore);
        }
        for (int start = 0; start < 2; start++) {
            try (Store store = opened("second", second, after, reader, folder)) {
                assertThat(store.state().loaded().name()).isEqualTo("second");
                assertThat(store.state().loaded().version()).isEqualTo(2);
                assertThat(store.state().find("new")).hasValue(300);
                Scores fresh = second.score(store.state().overlay().toGraph());
                assertThat(store.state().columns().epistemic(300)).isEqualTo(fresh.epistemic()[300]);
            }
        }
    }

    @Test
    void whatWasLoadedWithOtherColumnsIsReplayed(@TempDir Path folder) {
        Graph plain = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Graph before = table(plain, 3);
        Graph after = table(plain, 4);
        GraphReader reader = schema -> schema(4).equals(schema) ? after : before;
        Detector first = trained(before);
        double[] scores = new double[2];
        try (Store store = opened("first", first, before, reader, folder)) {
            keep(store, "old", 3);
            String file = store.detectors().save(trained(after)).name();
            store.submit(Store.entry(new Change.Load("second", file, false), null, null))
                    .join();
            keep(store, "new", 4);
            scores[0] = store.state().columns().epistemic(300);
            scores[1] = store.state().columns().epistemic(301);
        }
        try (Store store = opened("first", first, before, reader, folder)) {
            assertThat(store.state().loaded().name()).isEqualTo("second");
            assertThat(store.state().columns().epistemic(300)).isEqualTo(scores[0]);
            assertThat(store.state().columns().epistemic(301)).isEqualTo(scores[1]);
        }
    }

    /** A kill may come between a detector and the record that names it. */
    @Test
    void detectorsThatNothingNamesAreForgottenAtTheStart(@TempDir Path folder) throws IOException {
        Graph graph = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Detector first = trained(graph);
        Path detectors = folder.resolve("detectors");
        opened("first", first, graph, schema -> graph, folder).close();
        Path mine = Files.writeString(detectors.resolve("notes.txt"), "somebody else's");
        Path orphan = Files.writeString(detectors.resolve("0123456789abcdef01234567.nescio"), "half a detector");
        try (Store store = opened("first", first, graph, schema -> graph, folder)) {
            assertThat(orphan).doesNotExist();
            assertThat(mine).exists();
            assertThat(store.detectors().read(store.detectors().fingerprint(first)))
                    .isNotNull();
            Detectors.Saved again = store.detectors().save(first);
            assertThat(again.isNew()).isFalse();
            store.detectors().takeBack(again);
            assertThat(store.detectors().read(again.name())).isNotNull();
        }
    }

    /** While a detector is being loaded, others wait; what they bring must fit into memory. */
    @Test
    void fewLargeChangesMayWait() throws InterruptedException {
        Graph before = table(BuiltinGraphs.make("blocks?nodes=300&features=4"), 3);
        Graph after = table(BuiltinGraphs.make("blocks?nodes=300&features=4"), 4);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        GraphReader slow = schema -> {
            reading.countDown();
            assertThatCode(goOn::await).doesNotThrowAnyException();
            return after;
        };
        try (Store store = new Store(new Store.Start("before", trained(before), before, slow), null)) {
            String file = store.detectors().save(trained(after)).name();
            CompletableFuture<?> loaded = store.submit(Store.entry(new Change.Load(null, file, false), null, null));
            reading.await();
            String large = "x".repeat(40 << 20);
            Change.Keep keep = new Change.Keep(List.of(), List.of(List.of(large, "1")));
            CompletableFuture<?> waits = store.submit(Store.entry(keep, null, null));
            assertThatThrownBy(() -> store.submit(Store.entry(keep, null, null)))
                    .isInstanceOfSatisfying(
                            Refused.class, e -> assertThat(e.status()).isEqualTo(429));
            goOn.countDown();
            loaded.join();
            assertThat(store.state().loaded().name()).isEqualTo("upload 2");
            assertThatThrownBy(waits::join).hasMessageContaining("xxx");
            assertThatThrownBy(() -> store.submit(Store.entry(keep, null, null)).join())
                    .as("there is room again")
                    .hasMessageContaining("xxx");
        }
    }

    /** The same graph with other ids would give edges and decisions to other nodes. */
    @Test
    void aGraphWithOtherIdsIsAnotherGraph(@TempDir Path folder) {
        Graph graph = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Detector detector = trained(graph);
        opened("first", detector, graph, schema -> graph, folder).close();
        List<String> turned =
                IntStream.range(0, 300).mapToObj(v -> Integer.toString(299 - v)).toList();
        Graph other = graph.with().ids(NodeIds.named(turned)).build();
        assertThatThrownBy(() -> new Store(
                        new Store.Start("other", detector, other, schema -> other), Journal.open(folder, Disk.REAL)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the store belongs to another graph");
    }

    @Test
    void aStoreOfAnEarlierVersionOpens(@TempDir Path folder) {
        Graph graph = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Detector detector = trained(graph);
        String own = new Detectors(null).fingerprint(detector);
        try (Journal journal = Journal.open(folder, Disk.REAL)) {
            String begin =
                    "{\"at\":\"2026-01-01T00:00:00Z\",\"key\":null,\"hash\":null,\"change\":{\"kind\":\"begin\",\"graph\":\""
                            + Fingerprint.of(graph) + "\",\"detector\":\"" + own + "\"}}";
            String alpha =
                    "{\"at\":\"2026-01-01T00:00:01Z\",\"key\":null,\"hash\":null,\"change\":{\"kind\":\"decide\",\"alpha\":0.2}}";
            journal.append(List.of(begin.getBytes(StandardCharsets.UTF_8), alpha.getBytes(StandardCharsets.UTF_8)));
        }
        try (Store store = opened("old", detector, graph, schema -> graph, folder)) {
            assertThat(store.state().alpha()).isEqualTo(0.2);
        }
    }

    /** Whoever decides about requests must know that nothing can be changed any more. */
    @Test
    void aServiceWhoseWriterHasEndedIsNotReady() throws InterruptedException {
        Graph graph = BuiltinGraphs.make("blocks?nodes=300&features=4");
        try (Store store = new Store(new Store.Start("x", trained(graph), graph, schema -> graph), null)) {
            Live live = new Live(Limits.DEFAULT);
            live.serve(store);
            assertThat(live.isReady()).isTrue();
            store.writer.interrupt();
            store.writer.join(20_000);
            assertThat(live.isReady()).isFalse();
            assertThatThrownBy(() -> store.submit(Store.entry(new Change.Decide(0.1), null, null)))
                    .isInstanceOf(Refused.class)
                    .hasMessage("the service can no longer change anything; start it again");
        }
    }

    @Test
    void driftIsFoundInTheBackgroundAndNothingIsKeptForIt() throws InterruptedException {
        Graph graph = BuiltinGraphs.make("blocks?nodes=600&features=4");
        try (Store store = new Store(new Store.Start("x", trained(graph), graph, schema -> graph), null)) {
            List<Change.NewNode> nodes = IntStream.range(0, 30)
                    .mapToObj(v -> new Change.NewNode("n" + v, null, new float[] {v, 1, 2, 3}))
                    .toList();
            store.submit(Store.entry(new Change.Keep(nodes, List.of()), null, null))
                    .join();
            store.submit(Store.entry(new Change.Keep(List.of(), List.of(List.of("1", "2"))), null, null))
                    .join();
            Batch large = store.state().batches().get(0);
            Batch small = store.state().batches().get(1);
            assertThat(small.isTooFew()).isTrue();
            assertThat(small.isPending()).isFalse();
            assertThat(large.isTooFew()).isFalse();
            for (int i = 0; i < 6000 && large.isPending(); i++) {
                Thread.sleep(10);
            }
            assertThat(large.isPending()).isFalse();
            assertThat(large.drift()).isNotNull();
        }
    }

    @Test
    void whatIsAskedForDriftWaitsForNoTest() {
        Graph graph = BuiltinGraphs.make("blocks?nodes=600&features=4");
        Loaded loaded = new Loaded("x", trained(graph), "now", 1);
        Batch batch = new Batch(1, "now", 0, 30, 0, loaded, Overlay.on(graph));
        assertThat(batch.drift()).isNull();
        assertThat(batch.isPending()).isTrue();
        batch.findDrift();
        assertThat(batch.drift()).isNotNull();
        assertThat(batch.isPending()).isFalse();
    }

    /** Those that were loaded before are never asked for again. */
    @Test
    void withoutAStoreOneDetectorIsKept() {
        Graph graph = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Detectors detectors = new Detectors(null);
        String first = detectors.save(trained(graph)).name();
        assertThat(detectors.read(first)).isNotNull();
        String second = detectors
                .save(trained(
                        graph.with().labels(turned(graph), graph.classes()).build()))
                .name();
        assertThat(detectors.read(second)).isNotNull();
        assertThatThrownBy(() -> detectors.read(first)).hasMessage("the store has no detector " + first);
    }

    private static int[] turned(Graph graph) {
        return IntStream.of(graph.labels())
                .map(label -> (label + 1) % graph.classes().size())
                .toArray();
    }

    @Test
    void whereTemporaryFilesHaveNoRoomTheStoreIsUsed(@TempDir Path folder) {
        Graph graph = BuiltinGraphs.make("blocks?nodes=300&features=4");
        Detector detector = trained(graph);
        Path nowhere = folder.resolve("not").resolve("there");
        assertThat(new Detectors(folder, nowhere).fingerprint(detector))
                .isEqualTo(new Detectors(null).fingerprint(detector));
        assertThat(folder).isEmptyDirectory();
    }

    /** Answers with many nodes are forgotten sooner than small ones. */
    @Test
    void answersAreForgottenByWhatTheyHold() {
        Answers answers = Answers.NONE;
        Map<String, Object> large = Map.of("nodes", Collections.nCopies(5000, "x"));
        for (int i = 0; i < 40; i++) {
            answers = answers.with("key" + i, new Answers.Answer("" + i, large));
            assertThat(answers.get("key" + i)).isNotNull();
        }
        int known = 0;
        for (int i = 0; i < 40; i++) {
            known += answers.get("key" + i) == null ? 0 : 1;
        }
        assertThat(known * 5000).isBetween(Answers.MOST_NODES, 2 * Answers.MOST_NODES);
    }

    @Test
    void theLastAnswersAreRemembered() {
        Answers answers = Answers.NONE;
        int count = 3 * Answers.AT_LEAST + 5;
        for (int i = 0; i < count; i++) {
            answers = answers.with("key" + i, new Answers.Answer("" + i, Map.of()));
        }
        for (int i = count - Answers.AT_LEAST; i < count; i++) {
            assertThat(answers.get("key" + i)).isNotNull();
        }
        assertThat(answers.get("key0")).isNull();
    }
}
