// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmbeddingDetectorTest {

    private final Evidence evidence =
            Evidence.of(List.of(RandomGraphs.dense(40, 3, 1)), NodeSet.where(40, v -> v < 20));

    private EmbeddingDetector fit(String estimators, NodeSet heldOut) {
        return EmbeddingDetector.fit(
                new EmbeddingDetector.Data(evidence, heldOut, new int[40], NodeIds.numbered(40), "z.npy"),
                Estimators.parseAll(estimators),
                List.of());
    }

    /** It was fitted, and refused when it should score. */
    @Test
    void estimatorsThatCouldNotScoreAreRefusedAtOnce() {
        assertThatThrownBy(() -> fit("jlde,mcd", NodeSet.of()))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageStartingWith("mcd needs several passes with dropout; z.npy does not provide that");
        for (String name : new String[] {"ensemble", "evidential", "gebm", "gnnsafe"}) {
            assertThatThrownBy(() -> fit(name, NodeSet.of())).isInstanceOf(BadConfiguration.class);
        }
    }

    @Test
    void heldOutNodesGiveThresholds() {
        EmbeddingDetector detector = fit("jlde", NodeSet.where(40, v -> v >= 20 && v < 39));
        Scores scores = detector.score(evidence, NodeIds.numbered(40), Progress.NONE);

        assertThat(detector.estimators().calibration().nodes()).isEqualTo(19);
        assertThat(scores.pValues()).hasSize(40);
        assertThat(detector.nodes().training()).hasSize(20);
        assertThatThrownBy(() -> fit("jlde", NodeSet.of(3))).isInstanceOf(BadInput.class);
    }
}
