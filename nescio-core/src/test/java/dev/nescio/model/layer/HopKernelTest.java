// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

public class HopKernelTest {

    private static final int NODES = 150;

    /** All-pairs shortest paths by Floyd and Warshall; more than 64 training nodes, so that several words are needed. */
    @Test
    void equalsTheBruteForceTwin() {
        Rng rng = new Rng(1);
        int[] from = new int[170];
        int[] to = new int[170];
        Arrays.setAll(from, i -> rng.nextInt(NODES));
        Arrays.setAll(to, i -> rng.nextInt(NODES));
        Adjacency adjacency = Adjacency.undirected(NODES, from, to).adjacency();
        int[] training = new int[100];
        int[] labels = new int[100];
        Arrays.setAll(training, i -> i);
        Arrays.setAll(labels, i -> i % 3);

        DenseMatrix kernel = HopKernel.of(adjacency, training, labels, 3);
        int[][] hops = hops(adjacency);
        for (int v = 0; v < NODES; v++) {
            double[] expected = {1, 1, 1};
            for (int t = 0; t < 100; t++) {
                expected[t % 3] +=
                        hops[v][t] > 10 ? 0 : Math.exp(-hops[v][t] * hops[v][t] / 2.0) / Math.sqrt(2 * Math.PI);
            }
            for (int c = 0; c < 3; c++) {
                assertThat((double) kernel.get(v, c)).isCloseTo(expected[c], within(1e-4));
            }
        }
    }

    private static int[][] hops(Adjacency adjacency) {
        int[][] hops = new int[NODES][NODES];
        for (int v = 0; v < NODES; v++) {
            Arrays.fill(hops[v], 1000);
            hops[v][v] = 0;
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                hops[v][adjacency.neighbours()[e]] = 1;
            }
        }
        for (int k = 0; k < NODES; k++) {
            for (int i = 0; i < NODES; i++) {
                for (int j = 0; j < NODES; j++) {
                    hops[i][j] = Math.min(hops[i][j], hops[i][k] + hops[k][j]);
                }
            }
        }
        return hops;
    }
}
