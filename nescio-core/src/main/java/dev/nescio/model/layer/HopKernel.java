// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.Adjacency;
import dev.nescio.matrix.DenseMatrix;
import java.util.Arrays;

/**
 * How many training nodes of each class lie how near in the graph (Zhao et al. 2020): {@code 1 + sum over training nodes t
 * of class c of exp(-hops(v, t)^2 / 2) / sqrt(2 pi)}, up to ten hops.
 */
public final class HopKernel {

    private static final int FARTHEST = 10;
    private static final int SOURCES = Long.SIZE;

    private HopKernel() {}

    /** [nodes, classes]. Breadth-first from 64 training nodes at a time, one bit each. */
    public static DenseMatrix of(Adjacency adjacency, int[] training, int[] labels, int classes) {
        int nodes = adjacency.nodes();
        float[] kernel = new float[Math.multiplyExact(nodes, classes)];
        Arrays.fill(kernel, 1);
        long[] seen = new long[nodes];
        long[] now = new long[nodes];
        long[] next = new long[nodes];
        for (int begin = 0; begin < training.length; begin += SOURCES) {
            int count = Math.min(SOURCES, training.length - begin);
            long[] ofClass = new long[classes];
            Arrays.fill(seen, 0);
            Arrays.fill(now, 0);
            for (int s = 0; s < count; s++) {
                now[training[begin + s]] |= 1L << s;
                ofClass[labels[begin + s]] |= 1L << s;
            }
            for (int hops = 0; hops <= FARTHEST; hops++) {
                double weight = Math.exp(-hops * hops / 2.0) / Math.sqrt(2 * Math.PI);
                boolean any = false;
                for (int v = 0; v < nodes; v++) {
                    now[v] &= ~seen[v];
                    seen[v] |= now[v];
                    if (now[v] != 0) {
                        any = true;
                        for (int c = 0; c < classes; c++) {
                            kernel[v * classes + c] += (float) (weight * Long.bitCount(now[v] & ofClass[c]));
                        }
                    }
                }
                if (!any) {
                    break;
                }
                for (int v = 0; v < nodes; v++) {
                    long heard = 0;
                    for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                        heard |= now[adjacency.neighbours()[e]];
                    }
                    next[v] = heard;
                }
                long[] spare = now;
                now = next;
                next = spare;
            }
        }
        return DenseMatrix.of(nodes, classes, kernel);
    }
}
