// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.Weights;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.testing.RandomGraphs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every architecture in the registry promises, and each of them with every word that it lets choose. */
public class ArchitectureContractTest {

    private static final int NODES = 40;
    private static final ModelOptions OPTIONS = ModelOptions.of(16, 2, 0.2, 1);
    private static final TrainingOptions TRAINING = TrainingOptions.of(0.01, 0, 300, 100, 3);

    /** An architecture and what is chosen for it. */
    record Case(Architecture architecture, Map<String, String> choices) {

        static Case of(String name, String choice, String value) {
            return new Case(Architectures.named(name), Map.of(choice, value));
        }

        ModelOptions options() {
            return OPTIONS.in(architecture.options(), choices);
        }

        @Override
        public String toString() {
            return architecture.name() + (choices.isEmpty() ? "" : " " + choices);
        }
    }

    static Stream<Case> cases() {
        return Stream.concat(
                Architectures.all().stream().map(architecture -> new Case(architecture, Map.of())),
                Stream.of(
                        Case.of("gcn", "norm", "none"),
                        Case.of("gatv2", "norm", "none"),
                        Case.of("gatv2", "heads", "1"),
                        Case.of("res-gat-sep", "attention", "gatv2")));
    }

    /** Two classes that features tell apart; the last nodes have no neighbours. */
    private static Graph graph(int[] order) {
        int[] place = new int[NODES];
        for (int i = 0; i < NODES; i++) {
            place[order[i]] = i;
        }
        Rng rng = new Rng(5);
        int[] from = new int[60];
        int[] to = new int[60];
        for (int e = 0; e < 60; e++) {
            int u = rng.nextInt(NODES - 3);
            from[e] = place[u];
            to[e] = place[(u + 2 * (1 + rng.nextInt(8))) % (NODES - 4)];
        }
        float[] features = RandomGraphs.dense(NODES, 6, 2).values().clone();
        for (int v = 0; v < NODES; v++) {
            features[v * 6] += v % 2 == 0 ? 3 : -3;
        }
        return Graph.builder("contract", Adjacency.undirected(NODES, from, to).adjacency())
                .features(DenseMatrix.of(NODES, 6, features).select(order))
                .labels(IntStream.of(order).map(v -> v % 2).toArray(), 2)
                .build();
    }

    private static final int[] IDENTITY = IntStream.range(0, NODES).toArray();
    private static final Graph GRAPH = graph(IDENTITY);
    private static final Split SPLIT = new Split(
            "contract",
            NodeSet.where(NODES, v -> v % 3 == 0),
            NodeSet.where(NODES, v -> v % 3 == 1),
            NodeSet.where(NODES, v -> v % 3 == 2));

    private static Graph twice(Graph graph) {
        Adjacency adjacency = graph.adjacency();
        int[] from = new int[2 * adjacency.edges()];
        int[] to = new int[from.length];
        for (int v = 0, next = 0; v < NODES; v++) {
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++, next += 2) {
                from[next] = v;
                to[next] = adjacency.neighbours()[e];
                from[next + 1] = v + NODES;
                to[next + 1] = adjacency.neighbours()[e] + NODES;
            }
        }
        int[] both = IntStream.range(0, 2 * NODES).map(v -> v % NODES).toArray();
        return Graph.builder("twice", Adjacency.undirected(2 * NODES, from, to).adjacency())
                .features(graph.features().select(both))
                .labels(IntStream.of(both).map(graph::label).toArray(), 2)
                .build();
    }

    private static Model drawn(Case tried) {
        Architecture.Shape shape = new Architecture.Shape(6, 2);
        try (Weights weights = Weights.drawn(new Seed(1))) {
            tried.architecture.network(weights, shape, tried.options());
            Map<String, NdArray> parameters = new HashMap<>(weights.snapshot());
            return new Model(tried.architecture, shape, tried.options(), parameters);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void learnsAToyGraph(Case tried) {
        // The validation nodes are those of a copy of the graph, so that the best epoch is the best for training nodes.
        Split copied = new Split(
                "copied",
                SPLIT.train(),
                NodeSet.where(2 * NODES, v -> v >= NODES && SPLIT.train().contains(v - NODES)),
                SPLIT.test());
        ModelOptions withoutDropout = ModelOptions.of(16, 2, 0, 1).in(tried.architecture.options(), tried.choices);
        DenseMatrix logits = new Trainer(tried.architecture, withoutDropout, TRAINING)
                .train(twice(GRAPH), copied, TrainingListener.NONE)
                .model()
                .logits(GRAPH);
        long right = SPLIT.train().stream()
                .filter(v -> (logits.get(v, 1) > logits.get(v, 0) ? 1 : 0) == GRAPH.label(v))
                .count();

        assertThat(right).isEqualTo(SPLIT.train().size());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theSameSeedGivesTheSameParameters(Case tried) {
        TrainingOptions few = TrainingOptions.of(0.01, 1e-4, 5, 5, 7);
        Map<String, NdArray> one = new Trainer(tried.architecture, tried.options(), few)
                .train(GRAPH, SPLIT, TrainingListener.NONE)
                .model()
                .parameters();
        Map<String, NdArray> two = new Trainer(tried.architecture, tried.options(), few)
                .train(GRAPH, SPLIT, TrainingListener.NONE)
                .model()
                .parameters();

        assertThat(one).usingRecursiveComparison().isEqualTo(two);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void permutingNodesPermutesLogits(Case tried) {
        int[] order = IDENTITY.clone();
        new Rng(9).shuffle(order);
        Model model = drawn(tried);
        DenseMatrix straight = model.logits(GRAPH);
        DenseMatrix shuffled = model.logits(graph(order));

        for (int i = 0; i < NODES; i++) {
            for (int c = 0; c < 2; c++) {
                assertThat(shuffled.get(i, c)).isCloseTo(straight.get(order[i], c), within(1e-4f));
            }
        }
    }

    /** States may be kept where they are: no stage changes them after it has told them. */
    @ParameterizedTest
    @MethodSource("cases")
    void statesThatAreLookedAtInNativeMemoryAreThoseOfAForwardPass(Case tried) {
        Model model = drawn(tried);
        for (NodeSet nodes : List.of(NodeSet.all(NODES), NodeSet.of(1, 7, 38))) {
            Forward copied = model.forward(GRAPH, nodes);
            for (int again = 0; again < 2; again++) {
                boolean isSame = model.look(GRAPH, nodes, forward -> {
                    assertThat(forward.logits().values())
                            .isEqualTo(copied.logits().values());
                    for (int s = 0; s < copied.states().size(); s++) {
                        assertThat(forward.matrices().get(s).values())
                                .isEqualTo(copied.matrices().get(s).values());
                    }
                    return forward.states().size() == copied.states().size();
                });
                assertThat(isSame).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void statesHaveTheStatedNumberAndOneRowPerNode(Case tried) {
        Forward forward = drawn(tried).forward(GRAPH);

        assertThat(forward.states()).hasSize(tried.architecture.states(tried.options()));
        forward.states().forEach(state -> {
            assertThat(state.values().rows()).isEqualTo(NODES);
            assertThat(state.values().firstNotFinite()).isNull();
        });
        assertThat(forward.logits().firstNotFinite()).isNull();
        assertThat(forward.concentrations() != null).isEqualTo(tried.architecture.isEvidential());
        assertThat(drawn(tried).logits(GRAPH).values())
                .containsExactly(forward.logits().values());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void withoutEdgesNodesDoNotMatterToEachOther(Case tried) {
        Model model = drawn(tried);
        DenseMatrix alone = model.forwardWithoutEdges(GRAPH).logits();
        float[] changed = ((DenseMatrix) GRAPH.features()).values().clone();
        Arrays.fill(changed, 0, 6, 9);
        DenseMatrix other = model.forwardWithoutEdges(
                        GRAPH.with().features(DenseMatrix.of(NODES, 6, changed)).build())
                .logits();

        assertThat(alone.firstNotFinite()).isNull();
        for (int v = 1; v < NODES; v++) {
            assertThat(other.get(v, 0)).isCloseTo(alone.get(v, 0), within(1e-5f));
        }
        assertThat(other.get(0, 0)).isNotCloseTo(alone.get(0, 0), within(1e-5f));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void sparseAndDenseFeaturesGiveTheSame(Case tried) {
        Model model = drawn(tried);
        float[] values = ((DenseMatrix) GRAPH.features()).values().clone();
        for (int i = 0; i < values.length; i += 3) {
            values[i] = 0;
        }
        DenseMatrix dense = DenseMatrix.of(NODES, 6, values);
        float[] one = model.logits(GRAPH.with().features(dense).build()).values();
        float[] two =
                model.logits(GRAPH.with().features(dense.toSparse()).build()).values();

        for (int i = 0; i < one.length; i++) {
            assertThat(two[i]).isCloseTo(one[i], within(1e-4f));
        }
    }

    /** Training, and scoring of new nodes, compute only what the target nodes can hear. */
    @ParameterizedTest
    @MethodSource("cases")
    void whatIsSaidOfSomeNodesIsWhatIsSaidAmongAll(Case tried) {
        Model model = drawn(tried);
        Forward all = model.forward(GRAPH);
        NodeSet some = NodeSet.of(2, 11, NODES - 1);
        Forward got = model.forward(GRAPH, some);

        assertClose(got.logits(), all.logits().select(some.toArray()));
        assertThat(got.states()).hasSameSizeAs(all.states());
        for (int i = 0; i < got.states().size(); i++) {
            assertClose(got.matrices().get(i), all.matrices().get(i).select(some.toArray()));
        }
    }

    private static void assertClose(DenseMatrix got, DenseMatrix expected) {
        assertThat(got.values()).hasSameSizeAs(expected.values());
        for (int i = 0; i < got.values().length; i++) {
            assertThat(got.values()[i]).isCloseTo(expected.values()[i], within(1e-4f));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void randomPassesDifferAndRepeat(Case tried) {
        Model model = drawn(tried);
        float[][] passes = new float[4][];
        model.randomPasses(
                GRAPH, NodeSet.all(GRAPH.nodes()), 2, new Seed(1), (i, logits) -> passes[i] = logits.values());
        model.randomPasses(
                GRAPH, NodeSet.all(GRAPH.nodes()), 2, new Seed(1), (i, logits) -> passes[2 + i] = logits.values());

        assertThat(passes[0]).isNotEqualTo(passes[1]).isEqualTo(passes[2]);
        assertThat(passes[1]).isEqualTo(passes[3]);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void unknownChoicesAreRefused(Case tried) {
        assertThatThrownBy(() -> OPTIONS.in(tried.architecture.options(), Map.of("magic", "1")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining(tried.architecture.name() + " has no option 'magic'");
    }
}
