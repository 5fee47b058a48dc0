package dev.nescio.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.random.Rng;
import dev.nescio.testing.RandomGraphs;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every estimator in the registry promises. */
class EstimatorContractTest {

    private static final int NODES = 60;
    private static final NodeSet TRAINING = NodeSet.where(NODES, v -> v < 30);

    static Stream<String> names() {
        return Estimators.all().stream().map(Estimators.Entry::name);
    }

    private static Fitted fit(String name, Evidence evidence) {
        return Estimators.make(name, JldeOptions.defaults()).fit(evidence);
    }

    /** Two clouds, one per class; the last node is isolated. */
    private static Evidence evidence(int[] order, double scale, boolean farLast) {
        DenseMatrix noise = RandomGraphs.dense(NODES, 4, 1);
        float[] values = noise.values().clone();
        float[] logits = new float[NODES * 2];
        int[] labels = new int[NODES];
        for (int v = 0; v < NODES; v++) {
            labels[v] = v % 2;
            values[v * 4] += v % 2 == 0 ? 4 : -4;
            if (farLast && v == NODES - 1) {
                Arrays.fill(values, v * 4, (v + 1) * 4, 60);
            }
            logits[2 * v] = farLast && v == NODES - 1 ? 0 : values[v * 4];
            logits[2 * v + 1] = farLast && v == NODES - 1 ? 0 : -values[v * 4];
        }
        for (int i = 0; i < values.length; i++) {
            values[i] *= (float) scale;
        }
        return permuted(order, DenseMatrix.of(NODES, 4, values), DenseMatrix.of(NODES, 2, logits), labels);
    }

    private static Evidence permuted(int[] order, DenseMatrix states, DenseMatrix logits, int[] labels) {
        int[] place = new int[NODES];
        for (int i = 0; i < NODES; i++) {
            place[order[i]] = i;
        }
        Rng rng = new Rng(3);
        int[] from = new int[80];
        int[] to = new int[80];
        for (int e = 0; e < 80; e++) {
            from[e] = place[rng.nextInt(NODES - 1)];
            to[e] = place[rng.nextInt(NODES - 1)];
        }
        Graph graph = Graph.builder(
                        "contract", Adjacency.undirected(NODES, from, to).adjacency())
                .labels(IntStream.of(order).map(v -> labels[v]).toArray(), 2)
                .build();
        Forward forward = new Forward(
                logits.select(order),
                List.of(new Forward.State("H0", states.select(order)), new Forward.State("H1", states.select(order))));
        NodeSet training = NodeSet.where(NODES, i -> TRAINING.contains(order[i]));
        return Evidence.of(forward, graph, training).withoutEdges(forward);
    }

    private static int[] identity() {
        return IntStream.range(0, NODES).toArray();
    }

    @ParameterizedTest
    @MethodSource("names")
    void oneFiniteScorePerNode(String name) {
        Evidence evidence = evidence(identity(), 1, false);
        double[] scores = fit(name, evidence).score(evidence);

        assertThat(scores).hasSize(NODES);
        assertThat(Arrays.stream(scores)).allMatch(Double::isFinite);
    }

    @ParameterizedTest
    @MethodSource("names")
    void permutingNodesPermutesScores(String name) {
        int[] order = identity();
        new Rng(7).shuffle(order);
        Evidence straight = evidence(identity(), 1, false);
        Evidence shuffled = evidence(order, 1, false);
        double[] expected = fit(name, straight).score(straight);
        double[] got = fit(name, shuffled).score(shuffled);

        for (int i = 0; i < NODES; i++) {
            assertThat(got[i]).isCloseTo(expected[order[i]], within(1e-4 * (1 + Math.abs(expected[order[i]]))));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aFarNodeScoresHigherThanBefore(String name) {
        Evidence ordinary = evidence(identity(), 1, false);
        Evidence far = evidence(identity(), 1, true);
        Fitted fitted = fit(name, ordinary);

        assertThat(fitted.score(far)[NODES - 1]).isGreaterThan(fitted.score(ordinary)[NODES - 1]);
    }

    @ParameterizedTest
    @MethodSource("names")
    void hugeActivationsStayFinite(String name) {
        Evidence evidence = evidence(identity(), 1e6, true);

        assertThat(Arrays.stream(fit(name, evidence).score(evidence))).allMatch(Double::isFinite);
    }

    @ParameterizedTest
    @MethodSource("names")
    void constantStatesStayFinite(String name) {
        Evidence evidence = permuted(
                identity(),
                DenseMatrix.of(NODES, 4, new float[NODES * 4]),
                DenseMatrix.of(NODES, 2, new float[NODES * 2]),
                IntStream.range(0, NODES).map(v -> v % 2).toArray());

        assertThat(Arrays.stream(fit(name, evidence).score(evidence))).allMatch(Double::isFinite);
    }

    @ParameterizedTest
    @MethodSource("names")
    void fittingTwiceGivesTheSameAndStateComesBack(String name) {
        Evidence evidence = evidence(identity(), 1, false);
        Fitted fitted = fit(name, evidence);
        double[] scores = fitted.score(evidence);

        assertThat(fit(name, evidence).score(evidence)).containsExactly(scores);
        assertThat(Estimators.load(name, JldeOptions.defaults(), fitted.state()).score(evidence))
                .containsExactly(scores);
    }
}
