// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A training node is scored as if it were not one: as by an estimator that was fitted without it. */
class LeaveItselfOutTest {

    private static final int NODES = 60;
    private static final int TRAINING = 20;

    private final List<DenseMatrix> states = List.of(normal(3, 1), normal(5, 2));
    private final int[] places =
            IntStream.range(0, NODES).map(v -> v % 3 == 0 ? v / 3 : -1).toArray();
    private final NodeSet training = NodeSet.where(NODES, v -> places[v] >= 0);

    /** Every tenth row lies far away, so that a kernel of its own is nearly all there is. */
    private static DenseMatrix normal(int columns, long seed) {
        RandomGenerator random = new java.util.Random(seed);
        float[] values = new float[NODES * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian() + (i / columns % 10 == 0 ? 8 : 0);
        }
        return DenseMatrix.of(NODES, columns, values);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jlde:components=none,k=3",
                "jlde:components=none,k=1,reduction=mean",
                "jlde:components=none,k=2,separate=true",
                "jlde-kde:components=none,bandwidth=1",
                "jlde-kde:components=none,bandwidth=0.4"
            })
    void isScoredAsByAnEstimatorThatDoesNotKnowIt(String text) {
        double[] scores = Estimators.parse(text)
                .fit(Evidence.of(states, training))
                .score(Evidence.of(states, NodeSet.of()).placed(places));
        double[] whole =
                Estimators.parse(text).fit(Evidence.of(states, training)).score(Evidence.of(states, NodeSet.of()));
        assertThat(training.size()).isEqualTo(TRAINING);
        for (int v = 0; v < NODES; v++) {
            int node = v;
            double[] without = Estimators.parse(text)
                    .fit(Evidence.of(states, training.filter(w -> w != node)))
                    .score(Evidence.of(states, NodeSet.of()));
            double expected = places[v] < 0 ? whole[v] : without[v];
            assertThat(scores[v]).as("node %d", v).isCloseTo(expected, within(2e-5 * (1 + Math.abs(expected))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jlde", "jlde-relative"})
    void isNotItsOwnNearestTrainingNode(String text) {
        FittedEstimator fitted = Estimators.parse(text).fit(Evidence.of(states, training));
        Evidence evidence = Evidence.of(states, NodeSet.of()).placed(places);
        double[] scores = fitted.score(evidence);
        for (int v : training.toArray()) {
            Explanation explanation = ((Explainable) fitted).explain(evidence, v);
            assertThat(explanation.neighbours()).hasSize(5).noneMatch(near -> near.node() == v);
            assertThat(explanation.score()).isCloseTo(scores[v], within(1e-9 * scores[v]));
            assertThat(explanation.contributions().stream()
                            .mapToDouble(Explanation.Contribution::amount)
                            .sum())
                    .isCloseTo(scores[v], within(1e-9 * scores[v]));
        }
    }

    /** With as many neighbours as training nodes there is none to take its place. */
    @Test
    void staysWhereThereIsNobodyElse() {
        FittedEstimator fitted = Estimators.parse("jlde:k=20").fit(Evidence.of(states, training));
        Evidence evidence = Evidence.of(states, NodeSet.of());
        assertThat(fitted.score(evidence.placed(places))).containsExactly(fitted.score(evidence));
        int[] first = new int[NODES];
        Arrays.fill(first, -1);
        first[0] = 0;
        FittedEstimator alone = Estimators.parse("jlde-kde:bandwidth=1").fit(Evidence.of(states, NodeSet.of(0)));
        assertThat(alone.score(evidence.placed(first))).containsExactly(alone.score(evidence));
    }

    /** Other nodes of the graph say nothing about the components: changing them changes no score of the rest. */
    @Test
    void componentsOfTrainingNodesAloneDoNotDependOnOthers() {
        float[] changed = states.get(1).values().clone();
        for (int v = 0; v < NODES; v++) {
            for (int c = 0; places[v] < 0 && v % 2 == 1 && c < 5; c++) {
                changed[v * 5 + c] *= c == 0 ? 100 : 1;
            }
        }
        List<DenseMatrix> others = List.of(states.get(0), DenseMatrix.of(NODES, 5, changed));
        Evidence asked = Evidence.of(states, NodeSet.of());

        for (String text : List.of("jlde:components=2,pca=training", "jlde-kde:components=2,pca=training")) {
            assertThat(Estimators.parse(text).fit(Evidence.of(states, training)).score(asked))
                    .containsExactly(Estimators.parse(text)
                            .fit(Evidence.of(others, training))
                            .score(asked));
        }
        assertThat(Estimators.parse("jlde:components=2")
                        .fit(Evidence.of(states, training))
                        .score(asked))
                .isNotEqualTo(Estimators.parse("jlde:components=2")
                        .fit(Evidence.of(others, training))
                        .score(asked));
    }
}
