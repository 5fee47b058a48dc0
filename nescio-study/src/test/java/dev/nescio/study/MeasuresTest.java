// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeSet;
import dev.nescio.uncertainty.Prediction;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Two classes, seven nodes, by hand; nodes 0 to 5 are tested. */
class MeasuresTest {

    private static final Offset<Double> CLOSE = within(1e-12);
    private static final NodeSet TEST = NodeSet.of(0, 1, 2, 3, 4, 5);

    /** Probabilities of the first class. */
    private static final double[] FIRST = {0.9, 0.8, 0.4, 0.3, 0.6, 0.5, 0.1};

    private static final double[] EPISTEMIC = {1, 2, 3, 4, 5, 6, 7};

    private static Scores.Opinion opinion() {
        int[] label = new int[7];
        double[] probability = new double[7];
        double[] distribution = new double[14];
        for (int v = 0; v < 7; v++) {
            label[v] = FIRST[v] >= 0.5 ? 0 : 1;
            probability[v] = Math.max(FIRST[v], 1 - FIRST[v]);
            distribution[2 * v] = FIRST[v];
            distribution[2 * v + 1] = 1 - FIRST[v];
        }
        return new Scores.Opinion("", new Prediction(label, probability, distribution), EPISTEMIC);
    }

    private static Map<String, Double> measured(int[] labels, NodeSet strange, int bins) {
        return Measures.of(new Judged(opinion(), labels, TEST, strange, bins));
    }

    @Test
    void measuresHaveNamesOfColumnsAndSayWhatTheyAre() {
        assertThat(Measures.names()).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z]+(_[a-z]+)*"));
        assertThat(Measures.all()).allMatch(measure -> !measure.summary().isBlank());
    }

    /** Noise on nodes 4 and 5, whose classes were learned. Node 1 is wrong, and so is node 5. */
    @Test
    void withNoise() {
        int[] labels = {0, 1, 1, 1, 0, 1, 0};
        Map<String, Double> found = measured(labels, NodeSet.of(4, 5), 10);

        assertThat(found.get("accuracy")).isCloseTo(3 / 4.0, CLOSE);
        assertThat(found.get("accuracy_all")).isCloseTo(4 / 6.0, CLOSE);
        assertThat(found.get("auc_roc")).isEqualTo(1);
        assertThat(found.get("auc_pr")).isCloseTo(1, CLOSE);
        assertThat(found.get("average_precision")).isCloseTo(1, CLOSE);
        assertThat(found.get("false_alarms")).isZero();
        // 1 - probability: .1 .2 .4 .3 of ordinary nodes, .4 and .5 of noisy ones; .4 ties with .4.
        assertThat(found.get("aleatoric_auc_roc")).isCloseTo((3 + 0.5 + 4) / 8, CLOSE);
        // Of the ordinary ones node 1 is wrong: above node 0, below nodes 2 and 3, in both uncertainties.
        assertThat(found.get("errors_auc_roc")).isCloseTo(1 / 3.0, CLOSE);
        assertThat(found.get("errors_aleatoric_auc_roc")).isCloseTo(1 / 3.0, CLOSE);
        // Node 1 comes third of four: recall 1 at precision 1/3, after precision 0 at recall 0.
        assertThat(found.get("errors_auc_pr")).isCloseTo((0 + 1 / 3.0) / 2, CLOSE);
        // Confidences .9 .8 .6 .7 in bins of their own: |1 - .9| + |0 - .8| + |1 - .6| + |1 - .7| over four.
        assertThat(found.get("calibration_error")).isCloseTo(1.6 / 4, CLOSE);
        assertThat(found.get("brier_squared")).isCloseTo(2 * (0.01 + 0.64 + 0.16 + 0.09) / 4, CLOSE);
        assertThat(found.get("brier")).isCloseTo(Math.sqrt(2) * (0.1 + 0.8 + 0.4 + 0.3) / 4, CLOSE);
    }

    /** With one bin the mean confidence .75 stands beside an accuracy of 3/4. */
    @Test
    void binsAreAChoice() {
        int[] labels = {0, 1, 1, 1, 0, 1, 0};

        assertThat(measured(labels, NodeSet.of(4, 5), 1).get("calibration_error"))
                .isCloseTo(0, CLOSE);
    }

    /** Nodes 0 and 5 are of a class that was not learned: they count where strange nodes are looked for, and nowhere else. */
    @Test
    void withClassesLeftOut() {
        int[] labels = {-1, 0, 1, 1, 0, -1, 0};
        Map<String, Double> found = measured(labels, NodeSet.of(0, 5), 10);

        assertThat(found.get("accuracy")).isEqualTo(1);
        assertThat(found.get("accuracy_all")).isEqualTo(1);
        assertThat(found.get("auc_roc")).isCloseTo(4 / 8.0, CLOSE);
        assertThat(found.get("errors_auc_roc")).isNaN();
    }

    @Test
    void withoutAShiftNothingIsStrange() {
        Map<String, Double> found = measured(new int[] {0, 1, 1, 1, 0, 1, 0}, NodeSet.of(), 10);

        assertThat(found.get("auc_roc")).isNaN();
        assertThat(found.get("accuracy")).isCloseTo(4 / 6.0, CLOSE);
        assertThat(found.keySet()).containsExactlyElementsOf(Measures.names());
    }
}
