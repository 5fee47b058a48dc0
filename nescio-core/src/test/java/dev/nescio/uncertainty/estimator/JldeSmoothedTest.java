// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadModelFile;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JldeSmoothedTest {

    private static final int NODES = 120;
    private static final EstimatorSpec SMOOTHED = Estimators.parse("jlde-smoothed");
    private static final EstimatorSpec RELATIVE = Estimators.parse("jlde-relative");

    private final List<DenseMatrix> states = List.of(RandomGraphs.dense(NODES, 4, 1), RandomGraphs.dense(NODES, 3, 2));
    private final NodeSet training = NodeSet.where(NODES, v -> v < 80);

    /** A ring whose neighbours have the same label (blocks of 30), or never do. */
    private Graph ring(boolean alike) {
        int[] from = IntStream.range(0, NODES).toArray();
        int[] to = IntStream.range(0, NODES).map(v -> (v + 1) % NODES).toArray();
        return Graph.builder("ring", Adjacency.undirected(NODES, from, to).adjacency())
                .labels(
                        IntStream.range(0, NODES)
                                .map(v -> alike ? v / 30 % 2 : v % 2)
                                .toArray(),
                        2)
                .build();
    }

    private static Integer[] order(double[] scores) {
        Integer[] order = IntStream.range(0, scores.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(v -> scores[v]));
        return order;
    }

    @Test
    void whereNeighboursDifferItRanksAsRelativeStatesDo() {
        Evidence evidence = Evidence.of(states, training).on(ring(false));

        assertThat(JldeSmoothed.agreement(ring(false), training)).isZero();
        assertThat(order(SMOOTHED.fit(evidence).score(evidence)))
                .containsExactly(order(RELATIVE.fit(evidence).score(evidence)));
    }

    /** 79 edges between training nodes, 2 of them between blocks; the ends of both labels: 98 and 60. */
    @Test
    void agreementIsAdjustedHomophilyDrawnTowardsZero() {
        double chance = (98.0 * 98 + 60.0 * 60) / (158.0 * 158);
        double adjusted = (77.0 / 79 - chance) / (1 - chance);

        assertThat(JldeSmoothed.agreement(ring(true), training)).isCloseTo(adjusted * 79 / 89, within(1e-12));
        assertThat(JldeSmoothed.agreement(ring(true), NodeSet.of(0, 2, 4))).isZero();
        assertThat(JldeSmoothed.agreement(ring(true), NodeSet.of(0, 1, 2))).isZero();
    }

    @Test
    void equalsTheDefinition() {
        Graph graph = ring(true);
        Evidence evidence = Evidence.of(states, training).on(graph);
        double a = JldeSmoothed.agreement(graph, training);
        double[] own = Arrays.stream(RELATIVE.fit(evidence).score(evidence))
                .map(u -> Math.log(u + 1e-12))
                .toArray();
        double[] around = own;
        for (int step = 0; step < 10; step++) {
            double[] next = new double[NODES];
            for (int v = 0; v < NODES; v++) {
                double mean = (around[v] + around[(v + 1) % NODES] + around[(v + NODES - 1) % NODES]) / 3;
                next[v] = (1 - a / 2) * around[v] + a / 2 * mean;
            }
            around = next;
        }
        double[] scores = SMOOTHED.fit(evidence).score(evidence);

        for (int v = 0; v < NODES; v++) {
            assertThat(scores[v]).isCloseTo(z(own, v) + a * z(around, v), within(1e-9));
        }
    }

    private static double z(double[] values, int node) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (values[node] - sorted[NODES / 2]) / (sorted[3 * NODES / 4] - sorted[NODES / 4]);
    }

    @Test
    void damagedScalesAreRefused() {
        Evidence evidence = Evidence.of(states, training).on(ring(true));
        FittedEstimator fitted = SMOOTHED.fit(evidence);
        Map<String, NdArray> state = new HashMap<>(fitted.state());
        state.put("smoothed.scales", NdArray.of(2.0, 0, 1, 0, 1));

        assertThatThrownBy(() -> SMOOTHED.load(state))
                .isInstanceOf(BadModelFile.class)
                .hasMessageContaining("agreement from 0 to 1");
    }
}
