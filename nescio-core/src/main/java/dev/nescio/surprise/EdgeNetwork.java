// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.graph.Adjacency;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Weights;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Parallel;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.Map;

/**
 * Whether two nodes are likely to be joined: each is mapped to two vectors, {@code (e_1 | e_2) = relu(x W + b) V + c}, and the logit is
 * {@code (e_1(u) . e_2(v) + e_2(u) . e_1(v)) / sqrt(d)}. It may join what is unlike.
 */
final class EdgeNetwork {

    static final int FOLDS = 3;
    static final double RATE = 5e-3;
    private static final int WIDTH = 64;
    private static final int HALF = WIDTH / 2;
    private static final int BLOCK = 4096;

    private final Linear first;
    private final Linear second;

    EdgeNetwork(Weights weights, int own) {
        this.first = new Linear(weights, "first", own, WIDTH);
        this.second = new Linear(weights, "second", WIDTH, WIDTH);
    }

    private Tensor vectors(Tensor own, Dropout dropout) {
        return second.apply(dropout.apply(first.apply(own).relu()));
    }

    private static Tensor logits(Tensor u, Tensor v) {
        Tensor there = u.columns(0, HALF).times(v.columns(HALF, HALF)).sumOverColumns();
        Tensor back = u.columns(HALF, HALF).times(v.columns(0, HALF)).sumOverColumns();
        return there.plus(back).times(1 / Math.sqrt(HALF));
    }

    /** Edges, and the same ends joined otherwise. */
    static PairNetworks.Batches<EdgeNetwork> batches(DenseMatrix own, int[] from, int[] to) {
        return (network, rng, dropout) -> {
            int[] begins = new int[PairNetworks.BATCH];
            int[] ends = new int[PairNetworks.BATCH];
            for (int i = 0; i < begins.length; i++) {
                int edge = rng.nextInt(from.length);
                begins[i] = from[edge];
                ends[i] = to[edge];
            }
            Tensor u = network.vectors(Tensor.of(own.select(begins)), dropout);
            Tensor v = network.vectors(Tensor.of(own.select(ends)), dropout);
            int[] next = new int[begins.length];
            Arrays.setAll(next, i -> (i + 1) % next.length);
            return new PairNetworks.Batch(logits(u, v), logits(u, v.select(Tensor.of(next))));
        };
    }

    /** The vectors of all nodes: [nodes, 64]. */
    static DenseMatrix vectors(Map<String, NdArray> parameters, DenseMatrix own) {
        float[] all = new float[Math.multiplyExact(own.rows(), WIDTH)];
        try (Weights weights = Weights.of(parameters)) {
            EdgeNetwork network = new EdgeNetwork(weights, own.columns());
            for (int from = 0; from < own.rows(); from += BLOCK) {
                int begin = from;
                int count = Math.min(BLOCK, own.rows() - from);
                float[] block = Scope.run(() -> Gradients.off(() -> network.vectors(
                                Tensor.of(own.values(), begin * own.columns(), count, own.columns()), Dropout.OFF)
                        .toFloats()));
                System.arraycopy(block, 0, all, begin * WIDTH, block.length);
            }
        }
        return DenseMatrix.of(own.rows(), WIDTH, all);
    }

    /** How unlikely the edges of some nodes are, summed over the edges of each, into their places. */
    static void surprise(Adjacency graph, DenseMatrix vectors, int[] nodes, double[] sums) {
        Parallel.ranges(nodes.length, 64, (begin, end) -> {
            for (int i = (int) begin; i < end; i++) {
                int v = nodes[i];
                for (int e = graph.pointers()[v]; e < graph.pointers()[v + 1]; e++) {
                    sums[v] -= logit(vectors.values(), v * WIDTH, graph.neighbours()[e] * WIDTH);
                }
            }
        });
    }

    private static double logit(float[] values, int u, int v) {
        float sum = 0;
        for (int c = 0; c < HALF; c++) {
            sum += values[u + c] * values[v + HALF + c] + values[u + HALF + c] * values[v + c];
        }
        return sum / Math.sqrt(HALF);
    }
}
