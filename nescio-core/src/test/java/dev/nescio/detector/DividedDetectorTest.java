// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.uncertainty.Divisible;
import dev.nescio.uncertainty.Evidence;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the parts of a detector say together is what it says as a whole. */
class DividedDetectorTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=200&features=6");

    private static Detector detector(String... estimators) {
        return Detector.train(
                GRAPH,
                SplitRules.choose(GRAPH, "40/30/30:1"),
                DetectorOptions.defaults()
                        .with(ModelOptions.HIDDEN, 8)
                        .withTraining(TrainingOptions.of(0.01, 0, 4, 4, 3))
                        .withEstimators(estimators),
                TrainingListener.NONE);
    }

    private static Scores scores(DividedDetector divided) {
        Detector head = divided.head();
        Evidence evidence =
                BlockScoring.evidence(head, head.nodes(), GRAPH.ids(), head.forward(GRAPH), GRAPH::features);
        List<Divisible.Comparison> said = new ArrayList<>();
        for (int number = divided.parts() - 1; number >= 0; number--) {
            List<Divisible.Comparison> more =
                    DividedDetector.compare(divided.part(number), divided.begin(number), evidence);
            for (int i = 0; i < more.size(); i++) {
                if (said.size() == i) {
                    said.add(more.get(i));
                } else {
                    said.set(i, said.get(i).and(more.get(i)));
                }
            }
        }
        return BlockScoring.scores(
                DividedDetector.told(head, said), head.nodes(), GRAPH.ids(), head.forward(GRAPH), GRAPH::features);
    }

    @Test
    void partsSayTogetherWhatTheWholeSays() {
        Detector whole = detector(
                "jlde-relative",
                "jlde:energy=true,separate=true,reduction=mean",
                "jlde:k=1,features=true",
                "jlde-kde:separate=true",
                "jlde-relative-kde",
                "jlde-relative-mixture",
                "ebm");
        DividedDetector divided = DividedDetector.of(whole, 7);
        assertThat(divided.parts()).isEqualTo(7);
        Scores expected = whole.score(GRAPH);
        Scores actual = scores(divided);
        expected.byEstimator().forEach((label, opinion) -> {
            double[] wanted = opinion.epistemic();
            double[] found = actual.byEstimator().get(label).epistemic();
            for (int i = 0; i < wanted.length; i++) {
                assertThat(found[i])
                        .as(label + " of node " + i)
                        .isCloseTo(wanted[i], within(1e-6 * Math.max(1e-3, Math.abs(wanted[i]))));
            }
        });
        assertThat(actual.pValues()).containsExactly(expected.pValues());
    }

    @Test
    void fewRowsMakeFewParts() {
        Detector five = detector("jlde:k=5");
        assertThat(DividedDetector.of(five, 1000).parts())
                .isEqualTo(five.nodes().training().size() / 6);
        assertThat(DividedDetector.of(detector("ebm"), 1000).parts()).isEqualTo(1);
        assertThat(DividedDetector.bytes(detector("ebm"))).isZero();
        assertThat(DividedDetector.bytes(five)).isPositive();
    }
}
