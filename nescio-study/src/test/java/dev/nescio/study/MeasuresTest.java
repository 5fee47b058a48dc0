package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeSet;
import dev.nescio.uncertainty.Prediction;
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
        return new Scores.Opinion(new Prediction(label, probability, distribution), EPISTEMIC);
    }

    /** Noise on nodes 4 and 5, whose classes were learned. Node 1 is wrong, and so is node 5. */
    @Test
    void withNoise() {
        int[] labels = {0, 1, 1, 1, 0, 1, 0};
        Measures found = Measures.of(opinion(), labels, TEST, NodeSet.of(4, 5), 10);

        assertThat(found.accuracy()).isCloseTo(3 / 4.0, CLOSE);
        assertThat(found.accuracyAll()).isCloseTo(4 / 6.0, CLOSE);
        assertThat(found.aucRoc()).isEqualTo(1);
        assertThat(found.aucPr()).isCloseTo(1, CLOSE);
        assertThat(found.averagePrecision()).isCloseTo(1, CLOSE);
        assertThat(found.falseAlarms()).isZero();
        // 1 - probability: .1 .2 .4 .3 of ordinary nodes, .4 and .5 of noisy ones; .4 ties with .4.
        assertThat(found.aleatoricAucRoc()).isCloseTo((3 + 0.5 + 4) / 8, CLOSE);
        // Of the ordinary ones node 1 is wrong: above node 0, below nodes 2 and 3, in both uncertainties.
        assertThat(found.errorsAucRoc()).isCloseTo(1 / 3.0, CLOSE);
        assertThat(found.errorsAleatoricAucRoc()).isCloseTo(1 / 3.0, CLOSE);
        // Node 1 comes third of four: recall 1 at precision 1/3, after precision 0 at recall 0.
        assertThat(found.errorsAucPr()).isCloseTo((0 + 1 / 3.0) / 2, CLOSE);
        // Confidences .9 .8 .6 .7 in bins of their own: |1 - .9| + |0 - .8| + |1 - .6| + |1 - .7| over four.
        assertThat(found.calibrationError()).isCloseTo(1.6 / 4, CLOSE);
        assertThat(found.brierSquared()).isCloseTo(2 * (0.01 + 0.64 + 0.16 + 0.09) / 4, CLOSE);
        assertThat(found.brier()).isCloseTo(Math.sqrt(2) * (0.1 + 0.8 + 0.4 + 0.3) / 4, CLOSE);
    }

    /** With one bin the mean confidence .75 stands beside an accuracy of 3/4. */
    @Test
    void binsAreAChoice() {
        int[] labels = {0, 1, 1, 1, 0, 1, 0};

        assertThat(Measures.of(opinion(), labels, TEST, NodeSet.of(4, 5), 1).calibrationError())
                .isCloseTo(0, CLOSE);
    }

    /** Nodes 0 and 5 are of a class that was not learned: they count where strange nodes are looked for, and nowhere else. */
    @Test
    void withClassesLeftOut() {
        int[] labels = {-1, 0, 1, 1, 0, -1, 0};
        Measures found = Measures.of(opinion(), labels, TEST, NodeSet.of(0, 5), 10);

        assertThat(found.accuracy()).isEqualTo(1);
        assertThat(found.accuracyAll()).isEqualTo(1);
        assertThat(found.aucRoc()).isCloseTo(4 / 8.0, CLOSE);
        assertThat(found.errorsAucRoc()).isNaN();
    }

    @Test
    void withoutAShiftNothingIsStrange() {
        Measures found = Measures.of(opinion(), new int[] {0, 1, 1, 1, 0, 1, 0}, TEST, NodeSet.of(), 10);

        assertThat(found.aucRoc()).isNaN();
        assertThat(found.accuracy()).isCloseTo(4 / 6.0, CLOSE);
        assertThat(found.values()).hasSameSizeAs(Measures.names()).containsEntry("accuracy", found.accuracy());
    }
}
