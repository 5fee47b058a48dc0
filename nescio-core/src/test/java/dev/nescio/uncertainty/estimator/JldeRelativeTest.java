// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JldeRelativeTest {

    private static final NodeSet TRAINING = NodeSet.where(90, v -> v < 40);
    private static final Graph GRAPH = Graph.builder(
                    "pair",
                    Adjacency.undirected(90, new int[] {0}, new int[] {1}).adjacency())
            .labels(IntStream.range(0, 90).map(v -> v % 2).toArray(), 2)
            .build();

    static Stream<JsonNode> golden() throws IOException {
        try (InputStream in = JldeRelativeTest.class.getResourceAsStream("/relative_states.json")) {
            return JsonMapper.builder().build().readTree(in).get("cases").valueStream();
        }
    }

    private static List<DenseMatrix> matrices(JsonNode states) {
        List<DenseMatrix> all = new ArrayList<>();
        for (JsonNode state : states) {
            float[][] rows = new float[state.size()][];
            for (int i = 0; i < rows.length; i++) {
                JsonNode row = state.get(i);
                rows[i] = new float[row.size()];
                for (int j = 0; j < row.size(); j++) {
                    rows[i][j] = (float) row.get(j).asDouble();
                }
            }
            all.add(DenseMatrix.of(rows));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("golden")
    void isGolden(JsonNode golden) {
        int[] training =
                golden.get("training").valueStream().mapToInt(JsonNode::asInt).toArray();
        Evidence taught = Evidence.of(matrices(golden.get("states")), NodeSet.of(training));
        Evidence asked = Evidence.of(matrices(golden.get("query")), NodeSet.of());
        FittedEstimator fitted =
                Estimators.parse("jlde-relative:k=" + golden.get("k").asInt()).fit(taught);
        double[] scores = fitted.score(asked);
        JsonNode expected = golden.get("expected");

        for (int v = 0; v < scores.length; v++) {
            double score = expected.get("score").get(v).asDouble();
            assertThat(scores[v]).isCloseTo(score, within(1e-6 * (1 + score)));
            Explanation explanation = ((Explainable) fitted).explain(asked, v);
            double[] perState = new double[asked.states().size()];
            explanation.contributions().forEach(part -> perState[part.state()] += part.amount());
            for (int s = 0; s < perState.length; s++) {
                double amount = expected.get("contributions").get(v).get(s).asDouble();
                assertThat(perState[s]).isCloseTo(amount, within(1e-6 * (1 + score)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jlde-relative", "jlde-relative-kde", "jlde-relative-mixture", "jlde-relative:components=0.95"})
    void theScaleOfAStateDoesNotMatter(String estimator) {
        EstimatorSpec spec = Estimators.parse(estimator);
        List<DenseMatrix> states = List.of(RandomGraphs.dense(90, 5, 1), RandomGraphs.dense(90, 4, 2));
        Evidence plain = Evidence.of(states, TRAINING).on(GRAPH);
        double[] expected = spec.fit(plain).score(plain);
        for (float factor : new float[] {1e-3f, 1e-2f, 0.3f, 7, 100, 1e3f}) {
            for (int state = 0; state < states.size(); state++) {
                List<DenseMatrix> others = new ArrayList<>(states);
                others.set(state, scaled(states.get(state), factor));
                Evidence other = Evidence.of(others, TRAINING).on(GRAPH);
                double[] scores = spec.fit(other).score(other);
                for (int v = 0; v < scores.length; v++) {
                    assertThat(scores[v]).isCloseTo(expected[v], within(1e-5 * Math.abs(expected[v])));
                }
            }
        }
    }

    private static DenseMatrix scaled(DenseMatrix matrix, float factor) {
        float[] values = matrix.values().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] *= factor;
        }
        return DenseMatrix.of(matrix.rows(), matrix.columns(), values);
    }

    @Test
    void sharesAddUpToTheScoreAndSayWhetherItIsDirectionOrLength() {
        Evidence evidence = Evidence.of(
                List.of(RandomGraphs.dense(60, 3, 1), RandomGraphs.dense(60, 6, 2)), NodeSet.where(60, v -> v < 30));
        Explainable fitted = (Explainable) Estimators.parse("jlde-relative").fit(evidence);
        double[] scores = fitted.score(evidence);
        for (int v = 30; v < 60; v++) {
            Explanation explanation = fitted.explain(evidence, v);
            double sum = explanation.contributions().stream()
                    .mapToDouble(Explanation.Contribution::amount)
                    .sum();
            assertThat(explanation.contributions()).hasSize(4);
            assertThat(sum).isCloseTo(explanation.score(), within(1e-9 * explanation.score()));
            assertThat(explanation.score()).isCloseTo(scores[v], within(1e-9 * scores[v]));
        }
        // Twice as long in the same direction: only the length differs from its own training node.
        float[] longer = evidence.states().get(0).values().clone();
        for (int j = 0; j < 3; j++) {
            longer[j] *= 50;
        }
        Evidence alone = Evidence.of(List.of(DenseMatrix.of(60, 3, longer)), NodeSet.where(60, v -> v == 1));
        Evidence same = Evidence.of(List.of(evidence.states().get(0)), NodeSet.of(0));
        Explainable ofOne = (Explainable) Estimators.parse("jlde-relative:k=1").fit(same);
        Explanation.Contribution length =
                ofOne.explain(alone, 0).contributions().get(1);
        assertThat(length.aspect()).isEqualTo(Explanation.Aspect.LENGTH);
        assertThat(length.amount())
                .isGreaterThan(
                        100 * ofOne.explain(alone, 0).contributions().get(0).amount());
    }

    @Test
    void someStatesAloneAreTheStatesAlone() {
        DenseMatrix first = RandomGraphs.dense(50, 3, 1);
        DenseMatrix last = RandomGraphs.dense(50, 2, 2);
        NodeSet training = NodeSet.where(50, v -> v < 20);
        Evidence both = Evidence.of(List.of(first, last), training);
        Evidence alone = Evidence.of(List.of(last), training);

        assertThat(Estimators.parse("jlde-relative:states=-1").fit(both).score(both))
                .containsExactly(Estimators.parse("jlde-relative").fit(alone).score(alone));
    }
}
