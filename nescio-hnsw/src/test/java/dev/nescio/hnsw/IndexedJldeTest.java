// SPDX-License-Identifier: Apache-2.0
package dev.nescio.hnsw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.NodeSet;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexedJldeTest {

    /** With fewer training nodes no index is built. */
    private static final int LEAST = 10_000;

    @Test
    void anIndexFindsNearlyTheSameScoresAndComesBackFromItsState() {
        int nodes = LEAST + 200;
        Evidence evidence = Evidence.of(List.of(RandomGraphs.dense(nodes, 4, 1)), NodeSet.where(nodes, v -> v < LEAST));
        EstimatorSpec options = Estimators.parse("jlde:search=hnsw");
        FittedEstimator indexed = options.fit(evidence);
        double[] scores = indexed.score(evidence);
        double[] exact = Estimators.parse("jlde").fit(evidence).score(evidence);
        int same = 0;
        for (int v = 0; v < nodes; v++) {
            assertThat(scores[v]).isGreaterThanOrEqualTo(exact[v] - 1e-9);
            same += Math.abs(scores[v] - exact[v]) <= 1e-9 ? 1 : 0;
        }

        assertThat(same).isGreaterThan(nodes * 95 / 100);
        assertThat(indexed.remark()).containsPattern("recall (0\\.99|1\\.0)\\d+ of the 5 nearest");
        assertThat(options.load(indexed.state()).score(evidence)).isEqualTo(scores);
        assertThat(options.fit(evidence).score(evidence)).isEqualTo(scores);
    }
}
