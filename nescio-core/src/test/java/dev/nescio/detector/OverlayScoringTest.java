// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.TrainingListener;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is scored on an overlay is what is scored on the grown graph. */
class OverlayScoringTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=600");
    private static final Split SPLIT = GRAPH.split("0");

    static Stream<String> architectures() {
        return Architectures.all().stream().map(Architecture::name);
    }

    private static DetectorOptions options(String... estimators) {
        return DetectorOptions.defaults()
                .with(ModelOptions.HIDDEN, 16)
                .withTraining(TrainingOptions.of(0.01, 0, 15, 15, 1))
                .withEstimators(estimators);
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void everyArchitecture(String name) {
        check(GRAPH, options("jlde", "ebm").withArchitecture(name));
    }

    @ParameterizedTest
    @EnumSource(Preprocessing.RowNorm.class)
    void everyPreprocessing(Preprocessing.RowNorm rows) {
        for (boolean binary : new boolean[] {false, true}) {
            check(GRAPH, options("jlde").withPreprocessing(Preprocessing.of(binary, rows)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gnnsafe", "jlde:features=true", "jlde-kde", "mahalanobis", "ensemble:members=2"})
    void estimatorsThatLookAtMore(String estimator) {
        check(GRAPH, options(estimator));
    }

    @Test
    void sparseFeatures() {
        Graph sparse = GRAPH.with()
                .features(((DenseMatrix) GRAPH.features()).toSparse())
                .build();
        check(sparse, options("jlde").withPreprocessing(Preprocessing.of(false, Preprocessing.RowNorm.L1)));
    }

    @Test
    void edgesOfOneDirection() {
        int[] to = GRAPH.adjacency().neighbours();
        int[] from = GRAPH.adjacency().rowOfEntry();
        int[] half = IntStream.range(0, to.length)
                .filter(e -> from[e] < to[e] || to[e] % 2 == 0)
                .toArray();
        List<TableSchema.Column> columns = IntStream.range(0, GRAPH.features().columns())
                .mapToObj(f -> new TableSchema.Column(
                        "f" + f, TableSchema.Kind.NUMBERS, List.of(new TableSchema.Scale(0, 1, 0)), List.of()))
                .toList();
        Graph directed = GRAPH.with()
                .adjacency(Adjacency.directed(
                                GRAPH.nodes(),
                                IntStream.of(half).map(e -> from[e]).toArray(),
                                IntStream.of(half).map(e -> to[e]).toArray())
                        .adjacency())
                .schema(new TableSchema("id", null, "from", "to", true, columns))
                .ids(NodeIds.named(IntStream.range(0, GRAPH.nodes())
                        .mapToObj(Integer::toString)
                        .toList()))
                .build();
        assertThat(directed.adjacency().isSymmetric()).isFalse();
        check(directed, options("jlde").withArchitecture("gcn"));
        check(directed, options("jlde").withArchitecture("sage"));
    }

    /** Adds three times, the later nodes to the earlier ones, and compares every step with the grown graph from scratch. */
    private static void check(Graph graph, DetectorOptions options) {
        Detector detector = Detector.train(graph, SPLIT, options, TrainingListener.NONE);
        Overlay before = Overlay.on(graph);
        for (int step = 0; step < 3; step++) {
            Growth growth = new Growth(before);
            if (step == 0) {
                growth.node("a", row(graph, 0)).edge("a", "17").edge("3", "a");
            } else if (step == 1) {
                growth.edge("5", "100").edge("6", "7").edge("6", "7").edge("8", "8");
            } else {
                growth.node("b", row(graph, 1)).node("c", row(graph, 2));
                growth.edge("b", "a").edge("c", "b").edge("200", "c");
            }
            Overlay now = growth.overlay();
            checkStep(detector, before, now, growth.nodes());
            before = now;
        }
        assertThat(before.nodes()).isEqualTo(graph.nodes() + 3);
    }

    private static void checkStep(Detector detector, Overlay before, Overlay now, NodeSet added) {
        Graph grown = now.toGraph();
        Scores whole = detector.score(grown);
        assertSame(detector, now, added, whole);
        NodeSet touched = now.touchedSince(before, detector.model().rounds());
        assertThat(touched.isEmpty()).isFalse();
        assertSame(detector, now, touched, whole);
        if (!detector.looksAtAll()) {
            Scores old = detector.score(before.toGraph());
            int different = 0;
            for (int v = 0; v < before.nodes(); v++) {
                if (touched.contains(v)) {
                    different += old.aleatoric(v) == whole.aleatoric(v) ? 0 : 1;
                } else {
                    assertThat(whole.epistemic()[v])
                            .isCloseTo(old.epistemic()[v], within(1e-6 * Math.max(1, Math.abs(old.epistemic()[v]))));
                }
            }
            assertThat(different).isPositive();
        }
    }

    private static void assertSame(Detector detector, Overlay now, NodeSet some, Scores whole) {
        if (some.isEmpty()) {
            return;
        }
        Scores scores = detector.score(now, some);
        int[] nodes = some.toArray();
        for (int i = 0; i < nodes.length; i++) {
            assertThat(scores.ids().name(i)).isEqualTo(whole.ids().name(nodes[i]));
            assertThat(scores.roles().get(i)).isEqualTo(whole.roles().get(nodes[i]));
            for (String estimator : whole.byEstimator().keySet()) {
                double expected = whole.byEstimator().get(estimator).epistemic()[nodes[i]];
                assertThat(scores.byEstimator().get(estimator).epistemic()[i])
                        .isCloseTo(expected, within(1e-6 * Math.max(1, Math.abs(expected))));
            }
            assertThat(scores.aleatoric(i)).isCloseTo(whole.aleatoric(nodes[i]), within(1e-6));
        }
    }

    private static float[] row(Graph graph, int node) {
        float[] row = new float[graph.features().columns()];
        for (int f = 0; f < row.length; f++) {
            row[f] = graph.features().get(node, f);
        }
        return row;
    }

    @Test
    void explanationsAreThoseOfTheGrownGraph() {
        Detector detector = Detector.train(GRAPH, SPLIT, options("jlde"), TrainingListener.NONE);
        Overlay now = new Growth(GRAPH)
                .node("a", row(GRAPH, 0))
                .edge("a", "17")
                .edge("a", "18")
                .overlay();
        int node = now.find("a").orElseThrow();

        NodeExplanation there = NodeExplanation.of(detector, now, node);
        NodeExplanation copied = NodeExplanation.of(detector, now.toGraph(), node);

        assertThat(there).isEqualTo(copied);
        assertThat(there.neighbours()).hasSize(2);
    }
}
