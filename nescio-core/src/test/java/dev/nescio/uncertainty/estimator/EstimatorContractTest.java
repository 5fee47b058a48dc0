package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.random.Rng;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every estimator in the registry promises, and every variant of the JLDE family. */
public class EstimatorContractTest {

    private static final int NODES = 60;
    private static final int LAST = NODES - 1;
    private static final NodeSet TRAINING = NodeSet.where(NODES, v -> v < 30);

    static Stream<Arguments> estimators() {
        JldeOptions defaults = JldeOptions.defaults();
        Map<String, JldeOptions> variants = Map.of(
                "with features", defaults.withFeatures(true),
                "of the first state", defaults.withStates(0),
                "of the last state", defaults.withStates(-1),
                "of the first and the last state", defaults.withStates(0, -1),
                "of states one by one", defaults.withSeparate(true),
                "with all training nodes", defaults.withK(30));
        Stream<Arguments> all = Estimators.all().stream().map(e -> Arguments.of(e.name(), "", defaults));
        Stream<Arguments> more = Stream.of("jlde", "jlde-kde", "jlde-mixture")
                .flatMap(name -> variants.entrySet().stream()
                        .map(variant -> Arguments.of(name, variant.getKey(), variant.getValue())));
        return Stream.concat(all, more);
    }

    /** What a network may have computed: two clouds, one per class. The last node has no edges. */
    private static final class Situation {

        final int[] labels = IntStream.range(0, NODES).map(v -> v % 2).toArray();
        final float[] states = RandomGraphs.dense(NODES, 4, 1).values().clone();
        int[] order = IntStream.range(0, NODES).toArray();
        int layers = 2;

        Situation() {
            for (int v = 0; v < NODES; v++) {
                states[v * 4] += v % 2 == 0 ? 4 : -4;
            }
        }

        Situation lastNodeIsFar() {
            Arrays.fill(states, LAST * 4, NODES * 4, 60);
            return this;
        }

        Situation scaled(float factor) {
            for (int i = 0; i < states.length; i++) {
                states[i] *= factor;
            }
            return this;
        }

        /** Logits see the first column; a far node looks like no class. */
        private float[] logits(float[] of) {
            float[] logits = new float[NODES * 2];
            for (int v = 0; v < NODES; v++) {
                boolean isFar = of[v * 4 + 1] == of[v * 4] && of[v * 4] != 0;
                logits[2 * v] = isFar ? 0 : of[v * 4];
                logits[2 * v + 1] = isFar ? 0 : -of[v * 4];
            }
            return logits;
        }

        Evidence evidence() {
            DenseMatrix rows = DenseMatrix.of(NODES, 4, states).select(order);
            DenseMatrix logits = DenseMatrix.of(NODES, 2, logits(states)).select(order);
            List<Forward.State> hidden = new ArrayList<>();
            for (int l = 0; l < layers; l++) {
                hidden.add(new Forward.State("H" + l, rows));
            }
            Forward forward = new Forward(logits, hidden, logits);
            NodeSet training = NodeSet.where(NODES, i -> TRAINING.contains(order[i]));
            return Evidence.of(forward, graph(rows), training)
                    .withoutEdges(forward)
                    .withSamples(Need.RANDOM_PASSES, samples(logits))
                    .withSamples(Need.ENSEMBLE, samples(logits));
        }

        /** Three opinions that differ more where the logits are small. */
        private static Samples samples(DenseMatrix logits) {
            Samples.Collector collector = new Samples.Collector(NODES, 2);
            for (int i = -1; i <= 1; i++) {
                float[] values = logits.values().clone();
                for (int v = 0; v < NODES; v++) {
                    values[2 * v] += i;
                }
                collector.add(i + 1, DenseMatrix.of(NODES, 2, values));
            }
            return collector.finish();
        }

        private Graph graph(DenseMatrix features) {
            int[] place = new int[NODES];
            for (int i = 0; i < NODES; i++) {
                place[order[i]] = i;
            }
            Rng rng = new Rng(3);
            int[] from = new int[80];
            int[] to = new int[80];
            for (int e = 0; e < 80; e++) {
                from[e] = place[rng.nextInt(LAST)];
                to[e] = place[rng.nextInt(LAST)];
            }
            return Graph.builder(
                            "contract", Adjacency.undirected(NODES, from, to).adjacency())
                    .features(features)
                    .labels(IntStream.of(order).map(v -> labels[v]).toArray(), 2)
                    .build();
        }
    }

    private static FittedEstimator fit(String name, JldeOptions options, Evidence evidence) {
        return Estimators.make(name, options).fit(evidence);
    }

    private static double[] fitAndScore(String name, JldeOptions options, Situation situation) {
        Evidence evidence = situation.evidence();
        return fit(name, options, evidence).score(evidence);
    }

    /** One finite score per node, and a far node above most ordinary ones. */
    private static void assertFiniteAndOrdered(String name, JldeOptions options, Situation situation) {
        Evidence ordinary = situation.evidence();
        FittedEstimator fitted = fit(name, options, ordinary);
        assertThat(fitted.score(ordinary)).hasSize(NODES);
        assertThat(Arrays.stream(fitted.score(ordinary))).allMatch(Double::isFinite);
        double[] scores = fitted.score(situation.lastNodeIsFar().evidence());
        assertThat(Arrays.stream(scores)).allMatch(Double::isFinite);
        long above = Arrays.stream(scores).filter(s -> s >= scores[LAST]).count() - 1;
        assertThat(above).as("nodes above the far one").isLessThan(NODES / 10);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void aFarIsolatedNodeStandsOut(String name, String variant, JldeOptions options) {
        assertFiniteAndOrdered(name, options, new Situation());
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void permutingNodesPermutesScores(String name, String variant, JldeOptions options) {
        Situation shuffled = new Situation();
        new Rng(7).shuffle(shuffled.order);
        double[] expected = fitAndScore(name, options, new Situation());
        double[] got = fitAndScore(name, options, shuffled);

        for (int i = 0; i < NODES; i++) {
            double there = expected[shuffled.order[i]];
            assertThat(got[i]).isCloseTo(there, within(1e-4 * (1 + Math.abs(there))));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void aNodeThatMovesAwayScoresHigher(String name, String variant, JldeOptions options) {
        Evidence ordinary = new Situation().evidence();
        FittedEstimator fitted = fit(name, options, ordinary);

        assertThat(fitted.score(new Situation().lastNodeIsFar().evidence())[LAST])
                .isGreaterThan(fitted.score(ordinary)[LAST]);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void duplicatesScoreAlike(String name, String variant, JldeOptions options) {
        Situation situation = new Situation();
        for (int v = 2; v < NODES; v++) {
            System.arraycopy(situation.states, v % 2 * 4, situation.states, v * 4, 4);
        }
        double[] scores = fitAndScore(name, options, situation);

        assertThat(Arrays.stream(scores)).allMatch(Double::isFinite);
        if (!name.equals("gnnsafe") && !name.equals("gebm")) {
            // Those two go by neighbours, which duplicates need not share.
            assertThat(scores[40]).isCloseTo(scores[50], within(1e-6 * (1 + Math.abs(scores[40]))));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void aClassWithOneTrainingNode(String name, String variant, JldeOptions options) {
        Situation situation = new Situation();
        for (int v = 3; v < 30; v += 2) {
            situation.labels[v] = 0;
        }
        assertThat(Arrays.stream(fitAndScore(name, options, situation))).allMatch(Double::isFinite);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void oneLayer(String name, String variant, JldeOptions options) {
        Situation situation = new Situation();
        situation.layers = 1;
        assertFiniteAndOrdered(name, options, situation);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void columnsWithoutVariance(String name, String variant, JldeOptions options) {
        Situation situation = new Situation();
        for (int v = 0; v < NODES; v++) {
            situation.states[v * 4 + 2] = 0.25f;
        }
        assertFiniteAndOrdered(name, options, situation);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void statesWithoutAnyVariance(String name, String variant, JldeOptions options) {
        assertThat(Arrays.stream(fitAndScore(name, options, new Situation().scaled(0))))
                .allMatch(Double::isFinite);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void activationsInMillions(String name, String variant, JldeOptions options) {
        assertThat(Arrays.stream(fitAndScore(name, options, new Situation().scaled(1e6f))))
                .allMatch(Double::isFinite);
        assertThat(Arrays.stream(fitAndScore(
                        name, options, new Situation().lastNodeIsFar().scaled(1e6f))))
                .allMatch(Double::isFinite);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("estimators")
    void fittingTwiceGivesTheSameAndStateComesBack(String name, String variant, JldeOptions options) {
        Evidence evidence = new Situation().evidence();
        FittedEstimator fitted = fit(name, options, evidence);
        double[] scores = fitted.score(evidence);

        assertThat(fit(name, options, evidence).state())
                .usingRecursiveComparison()
                .isEqualTo(fitted.state());
        assertThat(fit(name, options, evidence).score(evidence)).containsExactly(scores);
        assertThat(Estimators.load(name, options, fitted.state()).score(evidence))
                .containsExactly(scores);
    }
}
