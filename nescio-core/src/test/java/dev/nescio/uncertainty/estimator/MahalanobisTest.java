// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.Evidence;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MahalanobisTest {

    private static final int NODES = 80;

    private final DenseMatrix first = RandomGraphs.dense(NODES, 3, 1);
    private final DenseMatrix last = RandomGraphs.dense(NODES, 2, 2);
    private final int[] labels = IntStream.range(0, NODES).map(v -> v % 2).toArray();
    private final NodeSet training = NodeSet.where(NODES, v -> v < 50);
    private final Evidence evidence = Evidence.of(List.of(first, last), training)
            .on(Graph.builder(
                            "labels",
                            Adjacency.undirected(NODES, new int[0], new int[0]).adjacency())
                    .labels(labels, 2)
                    .build());

    /** In two dimensions the inverse of a covariance can be written down. */
    @Test
    void equalsTheDefinition() {
        double[][] means = new double[2][2];
        training.stream().forEach(v -> {
            for (int j = 0; j < 2; j++) {
                means[labels[v]][j] += last.get(v, j) / 25.0;
            }
        });
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int v : training.toArray()) {
            double x = last.get(v, 0) - means[labels[v]][0];
            double y = last.get(v, 1) - means[labels[v]][1];
            xx += x * x / 50;
            xy += x * y / 50;
            yy += y * y / 50;
        }
        double determinant = xx * yy - xy * xy;
        double[] scores = Estimators.parse("mahalanobis").fit(evidence).score(evidence);

        for (int v = 0; v < NODES; v++) {
            double nearest = Double.POSITIVE_INFINITY;
            for (double[] mean : means) {
                double x = last.get(v, 0) - mean[0];
                double y = last.get(v, 1) - mean[1];
                nearest = Math.min(nearest, (yy * x * x - 2 * xy * x * y + xx * y * y) / determinant);
            }
            assertThat(scores[v]).isCloseTo(nearest, within(1e-4 * (1 + nearest)));
        }
    }

    @Test
    void anyStateCanBeChosen() {
        double[] ofFirst = Estimators.parse("mahalanobis:state=0").fit(evidence).score(evidence);
        Evidence alone = Evidence.of(List.of(first), training).on(evidence.graph());

        assertThat(ofFirst)
                .containsExactly(Estimators.parse("mahalanobis").fit(alone).score(alone));
        assertThatThrownBy(() -> Estimators.parse("mahalanobis:state=2").fit(evidence))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("there is no state 2; states go from 0 to 1, or from -1 back to -2");
    }
}
