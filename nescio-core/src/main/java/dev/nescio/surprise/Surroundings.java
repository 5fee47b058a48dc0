// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.graph.Adjacency;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Parallel;
import java.util.Arrays;

/** What surrounds every node, without the node itself. */
final class Surroundings {

    /** Where more than this share of what neighbours hear comes back from the node, nothing is left to say of others. */
    private static final double MOSTLY_ITSELF = 0.95;

    private Surroundings() {}

    /**
     * The mean of the neighbours, the mean of what they hear without the node itself, and the standardised logarithm of the degree:
     * [nodes, 2 width + 1].
     */
    static DenseMatrix of(Adjacency graph, DenseMatrix own, Standard logDegree) {
        int nodes = graph.nodes();
        int width = own.columns();
        DenseMatrix first = means(graph, own);
        DenseMatrix second = means(graph, first);
        int all = 2 * width + 1;
        float[] values = new float[Math.multiplyExact(nodes, all)];
        Parallel.ranges(nodes, 256, (begin, end) -> {
            for (int v = (int) begin; v < end; v++) {
                double back = back(graph, v);
                for (int c = 0; c < width; c++) {
                    values[v * all + c] = first.get(v, c);
                    values[v * all + width + c] =
                            back > MOSTLY_ITSELF ? 0 : (float) ((second.get(v, c) - back * own.get(v, c)) / (1 - back));
                }
                values[v * all + 2 * width] = (float) logDegree.apply(Math.log1p(graph.degree(v)));
            }
        });
        return DenseMatrix.of(nodes, all, values);
    }

    /** The share of the mean of means that is the node itself. */
    private static double back(Adjacency graph, int v) {
        double back = 0;
        for (int e = graph.pointers()[v]; e < graph.pointers()[v + 1]; e++) {
            int u = graph.neighbours()[e];
            boolean hearsBack =
                    Arrays.binarySearch(graph.neighbours(), graph.pointers()[u], graph.pointers()[u + 1], v) >= 0;
            if (hearsBack) {
                back += 1.0 / graph.degree(u) / graph.degree(v);
            }
        }
        return back;
    }

    private static DenseMatrix means(Adjacency graph, DenseMatrix rows) {
        int width = rows.columns();
        float[] means = new float[rows.values().length];
        Parallel.ranges(graph.nodes(), 256, (begin, end) -> {
            for (int v = (int) begin; v < end; v++) {
                int degree = graph.degree(v);
                for (int e = graph.pointers()[v]; e < graph.pointers()[v + 1]; e++) {
                    int from = graph.neighbours()[e] * width;
                    for (int c = 0; c < width; c++) {
                        means[v * width + c] += rows.values()[from + c] / degree;
                    }
                }
            }
        });
        return DenseMatrix.of(graph.nodes(), width, means);
    }
}
