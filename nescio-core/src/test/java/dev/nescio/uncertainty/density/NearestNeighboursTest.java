// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.testing.RandomGraphs;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NearestNeighboursTest {

    private static double[] bruteForce(DenseMatrix references, DenseMatrix queries, int q, int k) {
        double[] squared = new double[references.rows()];
        for (int r = 0; r < squared.length; r++) {
            for (int d = 0; d < references.columns(); d++) {
                squared[r] += Math.pow((double) queries.get(q, d) - references.get(r, d), 2);
            }
        }
        Arrays.sort(squared);
        return Arrays.stream(squared).limit(k).map(Math::sqrt).toArray();
    }

    private static void assertExact(DenseMatrix references, DenseMatrix queries, int k) {
        try (NearestNeighbours neighbours = new NearestNeighbours(references, k)) {
            NearestNeighbours.Found found = neighbours.search(queries);
            for (int q = 0; q < queries.rows(); q++) {
                double[] expected = bruteForce(references, queries, q, k);
                for (int i = 0; i < k; i++) {
                    assertThat(found.distances()[q * k + i])
                            .as("query %d, neighbour %d", q, i)
                            .isCloseTo(expected[i], within(1e-12 * Math.max(1, expected[i])));
                }
            }
        }
    }

    @Test
    void equalsTheBruteForceTwinOverSeveralBlocks() {
        assertExact(RandomGraphs.dense(1500, 33, 1), RandomGraphs.dense(300, 33, 2), 5);
    }

    /** Far from the origin the product in floats cannot tell rows apart: the answer must come from doubles. */
    @Test
    void rowsFarFromTheOriginAndCloseTogetherAreStillTold() {
        float[] near = RandomGraphs.dense(400, 8, 3).values().clone();
        for (int i = 0; i < near.length; i++) {
            near[i] = 5000 + near[i] / 100;
        }
        DenseMatrix rows = DenseMatrix.of(400, 8, near);

        assertExact(rows, rows.select(new int[] {0, 7, 399}), 6);
    }

    @Test
    void duplicatesAndASingleOutlierAreFine() {
        float[] values = new float[300 * 4];
        Arrays.fill(values, 2);
        values[4] = 1e6f;
        DenseMatrix rows = DenseMatrix.of(300, 4, values);

        assertExact(rows, rows.select(new int[] {0, 1, 2}), 5);
    }

    /** Squares of these overflow a float, so that the product finds no candidate at all. */
    @Test
    void hugeRowsAreFoundInDoubles() {
        float[] values = RandomGraphs.dense(50, 3, 8).values().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] *= 1e25f;
        }
        DenseMatrix rows = DenseMatrix.of(50, 3, values);

        assertExact(rows, rows.select(new int[] {3, 30}), 4);
    }

    /** Fewer rows than candidates can be compared in floats: the others overflow. */
    @Test
    void hugeRowsAmongOrdinaryOnesAreFoundToo() {
        float[] values = RandomGraphs.dense(900, 3, 8).values().clone();
        for (int i = 12; i < values.length; i++) {
            values[i] *= 1e25f;
        }
        DenseMatrix rows = DenseMatrix.of(900, 3, values);

        assertExact(rows, rows.select(new int[] {0, 3, 4, 600}), 5);
    }

    /** As hidden states are: two columns spread widely, so that most leaves are never visited. */
    @Test
    void leavesAreLeftOutOnlyWhereNothingNearLiesInThem() {
        DenseMatrix rows = spread(RandomGraphs.dense(5000, 20, 4));
        DenseMatrix queries = spread(RandomGraphs.dense(400, 20, 5));

        assertExact(rows, queries, 5);
        RowTree tree = new RowTree(rows, 512);
        assertThat(Arrays.stream(tree.order()).sorted().toArray())
                .containsExactly(IntStream.range(0, 5000).toArray());
        for (int l = 0; l < tree.leaves().size(); l++) {
            RowTree.Leaf leaf = tree.leaves().get(l);
            for (int q = 0; q < 20; q++) {
                DenseMatrix inside =
                        rows.select(Arrays.copyOfRange(tree.order(), leaf.from(), leaf.from() + leaf.size()));
                assertThat(Math.sqrt(tree.squaredDistances(queries, q)[l]))
                        .isLessThanOrEqualTo(bruteForce(inside, queries, q, 1)[0]);
            }
        }
    }

    private static DenseMatrix spread(DenseMatrix rows) {
        return rows.mapRows((values, from, to) -> {
            values[from + 3] *= 500;
            values[from + 11] *= 300;
        });
    }

    @Test
    void kMayBeMoreThanALeafHolds() {
        assertExact(RandomGraphs.dense(1300, 4, 1), RandomGraphs.dense(10, 4, 2), 700);
    }

    @Test
    void kMayBeEveryRow() {
        assertExact(RandomGraphs.dense(6, 2, 1), RandomGraphs.dense(4, 2, 2), 6);
    }

    @Test
    void refusesMoreNeighboursThanRows() {
        assertThatThrownBy(() -> new NearestNeighbours(RandomGraphs.dense(5, 2, 1), 7))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(
                        "k must be at least 1 and at most the number of training nodes, got k = 7, training nodes = 5");
    }
}
