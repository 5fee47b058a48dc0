// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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
        List<TableSchema.Column> all = IntStream.range(0, columns)
                .mapToObj(f -> new TableSchema.Column(
                        "f" + f, TableSchema.Kind.NUMBERS, List.of(new TableSchema.Scale(0, 1, 0)), List.of()))
                .toList();
        return graph.with()
                .features(DenseMatrix.of(graph.nodes(), columns, values))
                .schema(new TableSchema("id", "label", "from", "to", false, all))
                .build();
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
