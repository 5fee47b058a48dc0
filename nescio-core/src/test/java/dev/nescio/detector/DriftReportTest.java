// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever moves is found and named; what does not move is left alone. */
class DriftReportTest {

    private static final double LEVEL = 0.01;

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=1500");
    private static final Split SPLIT = GRAPH.split("0");
    private static Detector detector;

    @BeforeAll
    static void train() {
        detector = Detector.train(
                GRAPH, SPLIT, DetectorOptions.defaults().with(TrainingOptions.EPOCHS, 60), TrainingListener.NONE);
    }

    private static DriftReport report(Graph graph, NodeSet batch) {
        return DriftReport.of(detector, graph, batch, 0.05, LEVEL);
    }

    @Test
    void testNodesAreLikeHeldOutOnes() {
        DriftReport report = report(GRAPH, SPLIT.test());

        assertThat(report.isDrift(LEVEL)).as(report.toString()).isFalse();
        assertThat(report.tests().stream().map(DriftReport.Test::what))
                .containsExactly(
                        "scores", "flagged nodes", "hidden states", "predicted classes", "degrees", "features");
        assertThat(report.causes(LEVEL)).isEmpty();
        assertThat(report.isTooFew()).isFalse();
        assertThat(report.pValue())
                .isCloseTo(
                        Math.min(
                                1,
                                6
                                        * report.tests().stream()
                                                .mapToDouble(DriftReport.Test::pValue)
                                                .min()
                                                .orElseThrow()),
                        within(1e-12));
    }

    @Test
    void aFeatureThatMovesIsNamed() {
        DenseMatrix features = (DenseMatrix) GRAPH.features();
        float[] values = features.values().clone();
        SPLIT.test().stream().forEach(v -> values[v * features.columns() + 7] += 2);
        Graph moved = GRAPH.with()
                .features(DenseMatrix.of(features.rows(), features.columns(), values))
                .build();

        DriftReport report = report(moved, SPLIT.test());

        assertThat(report.causes(LEVEL)).contains("features");
        assertThat(report.moved().get(0).feature())
                .isEqualTo(GRAPH.featureNames().get(7));
        assertThat(report.moved().get(0).now() - report.moved().get(0).usual()).isCloseTo(2, within(0.4));
    }

    @Test
    void nodesWithoutEdgesDifferInTheirDegrees() {
        DriftReport report =
                report(GRAPH.with().adjacency(Adjacency.empty(GRAPH.nodes())).build(), SPLIT.test());

        assertThat(report.causes(LEVEL)).contains("degrees");
    }

    @Test
    void oneClassAloneIsSeenByWhatIsPredicted() {
        DriftReport report = report(GRAPH, SPLIT.test().filter(v -> GRAPH.label(v) == 2));

        assertThat(report.causes(LEVEL)).contains("predicted classes", "hidden states");
    }

    /** The tests hold for few nodes, too; only their silence means nothing. */
    @Test
    void fewNodesAreTooFewToTellUnlessTheyShout() {
        NodeSet few = NodeSet.of(Arrays.copyOf(SPLIT.test().toArray(), 8));

        assertThat(report(GRAPH, few).isTooFew()).isTrue();
        DenseMatrix features = (DenseMatrix) GRAPH.features();
        float[] values = features.values().clone();
        few.stream().forEach(v -> Arrays.fill(values, v * features.columns(), (v + 1) * features.columns(), 9));
        Graph shouting = GRAPH.with()
                .features(DenseMatrix.of(features.rows(), features.columns(), values))
                .build();
        assertThat(report(shouting, few).isDrift(LEVEL)).isTrue();
    }

    /** As in detectors that were written before states of held-out nodes were kept. */
    @Test
    void withoutReferenceNodesOnlyScoresAreCompared() {
        Detector old = new Detector(
                detector.options(),
                detector.networks(),
                detector.estimators(),
                detector.schema(),
                detector.nodes(),
                null,
                detector.provenance());

        DriftReport report = DriftReport.of(old, GRAPH, SPLIT.test(), 0.05, LEVEL);

        assertThat(report.tests()).hasSize(2);
        assertThat(report.reference()).isZero();
        assertThatThrownBy(() -> DriftReport.of(old, GRAPH, SPLIT.test(), 0.05, 1))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("a level must lie between 0 and 1");
    }

    @Test
    void referenceNodesMustFit() {
        ReferenceNodes good = detector.reference();

        assertThat(good.size()).isEqualTo(detector.calibration().nodes());
        assertThatThrownBy(() -> new ReferenceNodes(
                        good.states(), List.of(1, 2), good.features(), good.degrees(), good.predicted()))
                .hasMessageContaining("the reference nodes do not have one state");
        int[] wrong = good.predicted().clone();
        wrong[0] = 99;
        ReferenceNodes other = new ReferenceNodes(good.states(), good.widths(), good.features(), good.degrees(), wrong);
        assertThatThrownBy(() -> new Detector(
                        detector.options(),
                        detector.networks(),
                        detector.estimators(),
                        detector.schema(),
                        detector.nodes(),
                        other,
                        detector.provenance()))
                .hasMessageContaining("the reference nodes have other features or classes");
    }
}
