// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.testing.Golden;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Pca;
import dev.nescio.uncertainty.density.Scaling;
import dev.nescio.uncertainty.estimator.Jlde.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class JldeTest {

    private static final EstimatorSpec JLDE = Estimators.parse("jlde");
    private static final EstimatorSpec GOLDEN = JLDE.with(Jlde.K, 3);

    private final List<DenseMatrix> states = List.of(Golden.matrix("jlde", "H0"), Golden.matrix("jlde", "H1"));
    private final Evidence golden = Evidence.of(states, NodeSet.of(Golden.ints("jlde", "train")));

    private static double[] score(EstimatorSpec spec, Evidence evidence) {
        return spec.fit(evidence).score(evidence);
    }

    private static void assertClose(double[] got, double[] expected) {
        assertThat(got).hasSameSizeAs(expected);
        for (int i = 0; i < got.length; i++) {
            assertThat(got[i]).as("node %d", i).isCloseTo(expected[i], within(1e-5 * Math.max(1, expected[i])));
        }
    }

    @Test
    void principalComponentsAreGolden() {
        for (int s = 0; s < 2; s++) {
            Pca pca = Pca.fit(states.get(s), new Keep.Share(0.95));
            assertThat(pca.components().columns()).isEqualTo(Golden.ints("jlde", "kept_components")[s]);
            for (int i = 0; i < pca.cumulativeShare().length; i++) {
                assertThat(pca.cumulativeShare()[i])
                        .isCloseTo(
                                Golden.at("jlde", "explained_cumulative")
                                        .get(s)
                                        .get(i)
                                        .asDouble(),
                                within(1e-6));
            }
        }
    }

    @Test
    void joinedStatesAreGolden() {
        assertClose(score(GOLDEN, golden), Golden.doubles("jlde", "u_cat_squared_mean"));
    }

    @Test
    void sumOfSquaresIsGolden() {
        assertClose(
                score(GOLDEN.with(Jlde.REDUCTION, Reduction.SUM_OF_SQUARES), golden),
                Golden.doubles("jlde", "u_cat_sum_of_squares"));
    }

    @Test
    void meanIsTheRootOfTheSquaredMean() {
        double[] expected = Golden.doubles("jlde", "u_cat_squared_mean");
        assertClose(
                score(GOLDEN.with(Jlde.REDUCTION, Reduction.MEAN), golden),
                Arrays.stream(expected).map(Math::sqrt).toArray());
    }

    @Test
    void singleStatesAreGolden() {
        assertClose(score(GOLDEN.with(JointStates.STATES, List.of(0)), golden), Golden.doubles("jlde", "u_layer0"));
        assertClose(score(GOLDEN.with(JointStates.STATES, List.of(1)), golden), Golden.doubles("jlde", "u_layer1"));
        assertClose(score(GOLDEN.with(JointStates.STATES, List.of(-1)), golden), Golden.doubles("jlde", "u_layer1"));
    }

    @Test
    void separateStatesAreGolden() {
        assertClose(score(GOLDEN.with(JointStates.SEPARATE, true), golden), Golden.doubles("jlde", "u_add_sum"));
    }

    @Test
    void statesWithoutPrincipalComponentsAreGolden() {
        assertClose(
                score(GOLDEN.with(JointStates.COMPONENTS, new Keep.Everything()), golden),
                Golden.doubles("jlde", "u_cat_no_pca_squared_mean"));
    }

    /** Every option against the definition, in loops over all pairs. */
    @ParameterizedTest
    @EnumSource(Scaling.class)
    void equalsTheBruteForceTwin(Scaling scaling) {
        List<DenseMatrix> many = List.of(RandomGraphs.dense(700, 6, 1), RandomGraphs.dense(700, 3, 2));
        Evidence evidence = Evidence.of(many, NodeSet.where(700, v -> v % 3 == 0));
        EstimatorSpec options =
                JLDE.with(JointStates.COMPONENTS, new Keep.Everything()).with(JointStates.SCALING, scaling);

        assertClose(
                score(options, evidence), bruteForce(many, evidence.training().toArray(), 5, scaling));
    }

    private static double[] bruteForce(List<DenseMatrix> states, int[] training, int k, Scaling scaling) {
        int nodes = states.get(0).rows();
        List<double[]> columns = new ArrayList<>();
        for (DenseMatrix state : states) {
            double distances = 0;
            double[] means = new double[state.columns()];
            for (int v = 0; v < nodes; v++) {
                for (int j = 0; j < means.length; j++) {
                    means[j] += state.get(v, j) / (double) nodes;
                }
            }
            for (int v = 0; v < nodes; v++) {
                double squared = 0;
                for (int j = 0; j < means.length; j++) {
                    squared += Math.pow(state.get(v, j) - means[j], 2);
                }
                distances += Math.sqrt(squared) / nodes;
            }
            for (int j = 0; j < means.length; j++) {
                double[] column = new double[nodes];
                double variance = 0;
                for (int v = 0; v < nodes; v++) {
                    variance += Math.pow(state.get(v, j) - means[j], 2) / (nodes - 1);
                }
                double scale = scaling == Scaling.NONE
                        ? 1
                        : scaling == Scaling.ISOTROPIC ? 1 / Math.sqrt(variance) : 1 / distances;
                for (int v = 0; v < nodes; v++) {
                    column[v] = state.get(v, j) * scale;
                }
                columns.add(column);
            }
        }
        double[] scores = new double[nodes];
        for (int v = 0; v < nodes; v++) {
            double[] all = new double[training.length];
            for (int t = 0; t < training.length; t++) {
                for (double[] column : columns) {
                    all[t] += Math.pow(column[v] - column[training[t]], 2);
                }
            }
            Arrays.sort(all);
            double sum = 0;
            for (int i = 0; i < k; i++) {
                sum += Math.sqrt(all[i]);
            }
            scores[v] = sum / k * (sum / k);
        }
        return scores;
    }

    @Test
    void energyNormalisationDividesByTheSoftplusOfTheNeighbour() {
        DenseMatrix line = DenseMatrix.of(new float[][] {{0}, {10}, {3}});
        DenseMatrix logits = DenseMatrix.of(new float[][] {{1, 2}, {0, 0}, {5, 5}});
        Evidence evidence = Evidence.of(List.of(line), NodeSet.of(0, 1)).withLogits(logits);
        double[] got = score(
                JLDE.with(Jlde.K, 1)
                        .with(JointStates.COMPONENTS, new Keep.Everything())
                        .with(Jlde.ENERGY, true),
                evidence);

        double softplus = Math.log(1 + Math.exp(Math.log(Math.exp(1) + Math.exp(2))));
        assertThat(got[2]).isCloseTo(Math.pow(3 / softplus, 2), within(1e-9));
    }

    @Test
    void fittedStateComesBackToTheSameScores() {
        EstimatorSpec options =
                GOLDEN.with(JointStates.SCALING, Scaling.ISOTROPIC).with(JointStates.SEPARATE, true);
        FittedEstimator fitted = options.fit(golden);
        FittedEstimator again = options.load(fitted.state());

        assertThat(again.score(golden)).containsExactly(fitted.score(golden));
    }

    /** Every reduction, joined and separate, with and without energies: the parts add up to the score. */
    @ParameterizedTest
    @EnumSource(Reduction.class)
    void explanationsAddUpToTheScore(Reduction reduction) {
        Evidence evidence = golden.withLogits(RandomGraphs.dense(8, 2, 1));
        for (boolean separate : new boolean[] {false, true}) {
            for (boolean energy : new boolean[] {false, true}) {
                EstimatorSpec options = GOLDEN.with(Jlde.REDUCTION, reduction)
                        .with(JointStates.SEPARATE, separate)
                        .with(Jlde.ENERGY, energy);
                Explainable fitted = (Explainable) options.fit(evidence);
                double[] scores = fitted.score(evidence);
                for (int v = 0; v < 8; v++) {
                    Explanation why = fitted.explain(evidence, v);
                    double sum = why.contributions().stream()
                            .mapToDouble(Explanation.Contribution::amount)
                            .sum();
                    assertThat(why.score()).isEqualTo(scores[v]);
                    assertThat(sum).isCloseTo(scores[v], within(1e-9));
                    assertThat(why.neighbours()).hasSize(separate ? 6 : 3);
                }
            }
        }
    }

    /** Scored separately and added, a state contributes just what it scores alone. */
    @Test
    void contributionsOfSeparateStatesAreTheirOwnScores() {
        Explainable fitted =
                (Explainable) GOLDEN.with(JointStates.SEPARATE, true).fit(golden);
        Explanation why = fitted.explain(golden, 5);

        assertThat(why.contributions().get(0).amount()).isCloseTo(Golden.doubles("jlde", "u_layer0")[5], within(1e-5));
        assertThat(why.contributions().get(1).amount()).isCloseTo(Golden.doubles("jlde", "u_layer1")[5], within(1e-4));
        assertThat(why.neighbours().get(0).node()).isIn(0, 1, 2, 3, 4);
    }

    @Test
    void trainingNodesFindThemselves() {
        assertThat(score(GOLDEN.with(Jlde.K, 1), golden)).startsWith(0, 0, 0, 0, 0);
    }

    @Test
    void kMayBeAllTrainingNodesAndNoMore() {
        assertThat(Arrays.stream(score(GOLDEN.with(Jlde.K, 5), golden))).allMatch(Double::isFinite);
        assertThatThrownBy(() -> score(GOLDEN.with(Jlde.K, 6), golden))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("k must be at most the number of training nodes, got k = 6, training nodes = 5");
    }

    @Test
    void aFarNodeScoresHigherThanEveryOther() {
        float[] values = RandomGraphs.dense(50, 4, 1).values().clone();
        Arrays.fill(values, 49 * 4, 50 * 4, 100);
        Evidence evidence = Evidence.of(List.of(DenseMatrix.of(50, 4, values)), NodeSet.where(50, v -> v < 25));
        double[] scores = score(JLDE, evidence);

        assertThat(scores[49]).isEqualTo(Arrays.stream(scores).max().orElseThrow());
    }

    @Test
    void constantStatesAndHugeActivationsStayFinite() {
        DenseMatrix constant = DenseMatrix.of(40, 3, new float[120]);
        float[] huge = RandomGraphs.dense(40, 3, 5).values().clone();
        for (int i = 0; i < huge.length; i++) {
            huge[i] *= 1e6f;
        }
        for (Scaling scaling : Scaling.values()) {
            Evidence evidence =
                    Evidence.of(List.of(constant, DenseMatrix.of(40, 3, huge)), NodeSet.where(40, v -> v < 20));
            assertThat(Arrays.stream(score(JLDE.with(JointStates.SCALING, scaling), evidence)))
                    .allMatch(Double::isFinite);
        }
    }

    @Test
    void refusesStatesThatDoNotFit() {
        assertThatThrownBy(() -> Evidence.of(List.of(), NodeSet.of())).hasMessage("there are no hidden states");
        assertThatThrownBy(() ->
                        Evidence.of(List.of(RandomGraphs.dense(3, 2, 1), RandomGraphs.dense(4, 2, 1)), NodeSet.of()))
                .isInstanceOf(BadInput.class)
                .hasMessage("state 0 has 3 rows, state 1 has 4");
        FittedEstimator fitted = GOLDEN.fit(golden);
        assertThatThrownBy(() -> fitted.score(
                        Evidence.of(List.of(RandomGraphs.dense(3, 2, 1), RandomGraphs.dense(3, 2, 1)), NodeSet.of())))
                .hasMessage("state 0 has 2 columns, but was fitted on 3");
    }

    @Test
    void energyIsGolden() {
        assertClose(Energy.of(Golden.matrix("logits")), Golden.doubles("ebm_energy"));
        assertThat(Energy.of(DenseMatrix.of(new float[][] {{1e30f, 0}}))[0]).isFinite();
    }

    @Test
    void predictionTakesTheLargestLogit() {
        Prediction prediction = Prediction.of(DenseMatrix.of(new float[][] {{0, 1}, {2, 2}, {500, -500}}));

        assertThat(prediction.label()).containsExactly(1, 0, 0);
        assertThat(prediction.probability()[0]).isCloseTo(1 / (1 + Math.exp(-1)), within(1e-12));
        assertThat(prediction.aleatoric()[1]).isCloseTo(0.5, within(1e-12));
        assertThat(prediction.aleatoric()[2]).isZero();
    }

    /** Detectors and studies of older versions may name a search, which could be approximate. */
    @Test
    void readsWhatWasFittedWithAnApproximateIndexAsExactSearch() {
        Evidence evidence = Evidence.of(List.of(RandomGraphs.dense(50, 4, 1)), NodeSet.where(50, v -> v < 40));
        FittedEstimator fitted = JLDE.fit(evidence);
        Map<String, NdArray> old = new HashMap<>(fitted.state());
        old.put("part0.index.entry", NdArray.of(7));
        old.put("part0.index.levels", NdArray.of(1));

        FittedEstimator read = Estimators.restore("jlde:k=5,search=hnsw").load(old);

        assertThat(read.score(evidence)).isEqualTo(fitted.score(evidence));
        assertThat(read.remark())
                .isEqualTo(
                        "jlde was fitted with an approximate index, which is not used any more: nodes are compared with all"
                                + " 40 training nodes");
        assertThat(fitted.remark()).isEmpty();
        assertThat(read.state()).doesNotContainKey("part0.index.entry");
        assertThat(Estimators.restore("jlde-relative:search=exact").text())
                .isEqualTo(Estimators.restore("jlde-relative").text());
        assertThat(Estimators.parseStored("jlde:k=7,search=hnsw").text()).isEqualTo("jlde:k=7");
    }

    @Test
    void refusesAChoiceOfASearch() {
        assertThatThrownBy(() -> Estimators.parse("jlde:search=hnsw"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("'jlde:search=hnsw': there is no choice of a search any more, it is always exact; leave"
                        + " search=hnsw out");
    }
}
