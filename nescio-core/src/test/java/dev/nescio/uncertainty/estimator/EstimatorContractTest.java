// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every estimator in the registry promises, and every variant of the JLDE family. */
public class EstimatorContractTest {

    private static final int NODES = 60;
    private static final int LAST = NODES - 1;
    private static final NodeSet TRAINING = NodeSet.where(NODES, v -> v < 30);

    static Stream<EstimatorSpec> estimators() {
        Stream<String> all = Estimators.all().stream().map(Estimator::name);
        Stream<String> variants = Estimators.all().stream()
                .filter(estimator -> estimator instanceof JointEstimator)
                .flatMap(estimator -> Stream.of(
                                "features=true", "states=0", "states=-1", "states=0|-1", "separate=true", "k=30")
                        .filter(option ->
                                estimator.options().find(option.split("=")[0]).isPresent())
                        .map(option -> estimator.name() + ":" + option));
        return Stream.concat(all, variants).map(Estimators::parse);
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

    private static double[] fitAndScore(EstimatorSpec spec, Situation situation) {
        Evidence evidence = situation.evidence();
        return spec.fit(evidence).score(evidence);
    }

    /** One finite score per node, and a far node above most ordinary ones. */
    private static void assertFiniteAndOrdered(EstimatorSpec spec, Situation situation) {
        Evidence ordinary = situation.evidence();
        FittedEstimator fitted = spec.fit(ordinary);
        assertThat(fitted.score(ordinary)).hasSize(NODES);
        assertThat(Arrays.stream(fitted.score(ordinary))).allMatch(Double::isFinite);
        double[] scores = fitted.score(situation.lastNodeIsFar().evidence());
        assertThat(Arrays.stream(scores)).allMatch(Double::isFinite);
        long above = Arrays.stream(scores).filter(s -> s >= scores[LAST]).count() - 1;
        assertThat(above).as("nodes above the far one").isLessThan(NODES / 10);
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void aFarIsolatedNodeStandsOut(EstimatorSpec spec) {
        assertFiniteAndOrdered(spec, new Situation());
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void permutingNodesPermutesScores(EstimatorSpec spec) {
        Situation shuffled = new Situation();
        new Rng(7).shuffle(shuffled.order);
        double[] expected = fitAndScore(spec, new Situation());
        double[] got = fitAndScore(spec, shuffled);

        for (int i = 0; i < NODES; i++) {
            double there = expected[shuffled.order[i]];
            assertThat(got[i]).isCloseTo(there, within(1e-4 * (1 + Math.abs(there))));
        }
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void aNodeThatMovesAwayScoresHigher(EstimatorSpec spec) {
        Evidence ordinary = new Situation().evidence();
        FittedEstimator fitted = spec.fit(ordinary);

        assertThat(fitted.score(new Situation().lastNodeIsFar().evidence())[LAST])
                .isGreaterThan(fitted.score(ordinary)[LAST]);
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void duplicatesScoreAlike(EstimatorSpec spec) {
        Situation situation = new Situation();
        for (int v = 2; v < NODES; v++) {
            System.arraycopy(situation.states, v % 2 * 4, situation.states, v * 4, 4);
        }
        double[] scores = fitAndScore(spec, situation);

        assertThat(Arrays.stream(scores)).allMatch(Double::isFinite);
        if (!spec.needs(Need.EDGES)) {
            // Those that need edges go by neighbours, which duplicates need not share.
            assertThat(scores[40]).isCloseTo(scores[50], within(1e-6 * (1 + Math.abs(scores[40]))));
        }
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void aClassWithOneTrainingNode(EstimatorSpec spec) {
        Situation situation = new Situation();
        for (int v = 3; v < 30; v += 2) {
            situation.labels[v] = 0;
        }
        assertThat(Arrays.stream(fitAndScore(spec, situation))).allMatch(Double::isFinite);
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void oneLayer(EstimatorSpec spec) {
        Situation situation = new Situation();
        situation.layers = 1;
        assertFiniteAndOrdered(spec, situation);
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void columnsWithoutVariance(EstimatorSpec spec) {
        Situation situation = new Situation();
        for (int v = 0; v < NODES; v++) {
            situation.states[v * 4 + 2] = 0.25f;
        }
        assertFiniteAndOrdered(spec, situation);
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void statesWithoutAnyVariance(EstimatorSpec spec) {
        assertThat(Arrays.stream(fitAndScore(spec, new Situation().scaled(0)))).allMatch(Double::isFinite);
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void activationsInMillions(EstimatorSpec spec) {
        assertThat(Arrays.stream(fitAndScore(spec, new Situation().scaled(1e6f))))
                .allMatch(Double::isFinite);
        assertThat(Arrays.stream(
                        fitAndScore(spec, new Situation().lastNodeIsFar().scaled(1e6f))))
                .allMatch(Double::isFinite);
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void fittingTwiceGivesTheSameAndStateComesBack(EstimatorSpec spec) {
        Evidence evidence = new Situation().evidence();
        FittedEstimator fitted = spec.fit(evidence);
        double[] scores = fitted.score(evidence);

        assertThat(spec.fit(evidence).state()).usingRecursiveComparison().isEqualTo(fitted.state());
        assertThat(spec.fit(evidence).score(evidence)).containsExactly(scores);
        assertThat(spec.load(fitted.state()).score(evidence)).containsExactly(scores);
        assertThat(fitted.state().isEmpty()).isEqualTo(spec.estimator().learnsNothing());
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void predictsByItselfIfItSaysSo(EstimatorSpec spec) {
        Evidence evidence = new Situation().evidence();

        assertThat(spec.fit(evidence).prediction(evidence) != null)
                .isEqualTo(spec.estimator().predictsItself());
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void refusesToBeFittedWithoutWhatItNeeds(EstimatorSpec spec) {
        spec.require(new Estimator.Available("a network", 2, 30, EnumSet.allOf(Need.class)));
        for (Need need : spec.estimator().needs()) {
            assertThatThrownBy(() -> spec.require(
                            new Estimator.Available("a network", 2, 30, EnumSet.complementOf(EnumSet.of(need)))))
                    .isInstanceOf(BadConfiguration.class)
                    .hasMessage(spec.name() + " needs " + need.text() + "; a network does not provide that");
        }
    }

    @ParameterizedTest
    @MethodSource("estimators")
    void itsTextSaysAll(EstimatorSpec spec) {
        assertThat(Estimators.parse(spec.text())).isEqualTo(spec);
        assertThat(Estimators.restore(spec.stored())).isEqualTo(spec);
        assertThat(Estimators.parseAll("ebm," + spec.text() + ",gnnsafe").get(1))
                .isEqualTo(spec);
    }
}
