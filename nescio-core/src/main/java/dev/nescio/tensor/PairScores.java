// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.matrix.SparseMatrix;
import org.jspecify.annotations.Nullable;

/**
 * Scores of pairs of nodes that an edge joins, {@code sum_c a_c phi(source_c + target_c)} per head, computed edge by edge on
 * the heap: nothing of the size edges times channels exists at any time, forward or backward.
 */
final class PairScores {

    private static final int GRAIN = 64;
    /** Rows whose share of the attention's gradient is summed by itself. */
    private static final int BLOCK = 1024;

    private final SparseMatrix incoming;
    private final SparseMatrix outgoing;
    /** For every outgoing edge, its number among the incoming ones. */
    private final int[] numbers;

    PairScores(SparseMatrix incoming) {
        this.incoming = incoming;
        this.outgoing = incoming.transposed();
        this.numbers = incoming.transposition();
    }

    Tensor apply(Tensor sources, Tensor targets, Tensor attention, int heads, float slope) {
        Pass pass = Gradients.off(() -> new Pass(sources, targets, attention, heads, slope));
        Tensor scores = Tensor.of(pass.scores(), incoming.indices().length, heads);
        return CustomGradient.attach(
                scores, gradient -> pass.gradients(gradient.contiguous()), sources, targets, attention);
    }

    /** The inputs of one pass, on the heap. */
    private final class Pass {

        private final float[] source;
        private final float[] target;
        private final float[] attention;
        private final int kinds;
        private final int width;
        private final int heads;
        private final float[] slopes;

        Pass(Tensor sources, Tensor targets, Tensor attention, int heads, float slope) {
            this.source = sources.toFloats();
            this.target = targets.toFloats();
            this.attention = attention.toFloats();
            this.kinds = attention.rows();
            this.width = sources.columns();
            this.heads = heads;
            this.slopes = new float[] {1, slope};
        }

        /** Where the vector of an edge begins: the last one if it is the loop at the head of its row. */
        private int vector(int row, int edge) {
            boolean isLoop = kinds > 1 && edge == incoming.pointers()[row] && incoming.indices()[edge] == row;
            return isLoop ? (kinds - 1) * width : 0;
        }

        float[] scores() {
            float[] scores = new float[incoming.indices().length * heads];
            int channels = width / heads;
            Parallel.ranges(incoming.rows(), GRAIN, (first, end) -> {
                for (int row = (int) first; row < end; row++) {
                    for (int e = incoming.pointers()[row]; e < incoming.pointers()[row + 1]; e++) {
                        int from = incoming.indices()[e] * width;
                        int vector = vector(row, e);
                        for (int h = 0; h < heads; h++) {
                            int begin = h * channels;
                            scores[e * heads + h] = score(from + begin, row * width + begin, vector + begin, channels);
                        }
                    }
                }
            });
            return scores;
        }

        private float score(int from, int to, int vector, int channels) {
            float slope = slopes[1];
            float even = 0;
            float odd = 0;
            int c = 0;
            for (; c + 1 < channels; c += 2) {
                float one = source[from + c] + target[to + c];
                float two = source[from + c + 1] + target[to + c + 1];
                even += attention[vector + c] * Math.max(one, slope * one);
                odd += attention[vector + c + 1] * Math.max(two, slope * two);
            }
            for (; c < channels; c++) {
                float one = source[from + c] + target[to + c];
                even += attention[vector + c] * Math.max(one, slope * one);
            }
            return even + odd;
        }

        Tensor[] gradients(Tensor gradient) {
            float[] perScore = gradient.toFloats();
            float[] forSource = new float[source.length];
            float[] forTarget = new float[target.length];
            float[] forAttention = new float[attention.length];
            int blocks = (incoming.rows() + BLOCK - 1) / BLOCK;
            float[][] perBlock = new float[blocks][attention.length];
            Parallel.ranges(blocks, 1, (first, end) -> {
                for (int row = (int) first * BLOCK; row < Math.min(end * BLOCK, incoming.rows()); row++) {
                    for (int e = incoming.pointers()[row]; e < incoming.pointers()[row + 1]; e++) {
                        int from = incoming.indices()[e] * width;
                        float[] mine = perBlock[row / BLOCK];
                        add(forTarget, row * width, from, row * width, vector(row, e), perScore, e, mine);
                    }
                }
            });
            // Blocks and their order do not depend on the number of threads.
            for (float[] block : perBlock) {
                for (int i = 0; i < block.length; i++) {
                    forAttention[i] += block[i];
                }
            }
            Parallel.ranges(outgoing.rows(), GRAIN, (first, end) -> {
                for (int node = (int) first; node < end; node++) {
                    for (int o = outgoing.pointers()[node]; o < outgoing.pointers()[node + 1]; o++) {
                        int row = outgoing.indices()[o];
                        int e = numbers[o];
                        add(forSource, node * width, node * width, row * width, vector(row, e), perScore, e, null);
                    }
                }
            });
            int columns = incoming.columns();
            return new Tensor[] {
                Tensor.of(forSource, columns, width),
                Tensor.of(forTarget, target.length / width, width),
                Tensor.of(forAttention, kinds, width)
            };
        }

        /** Adds what an edge's scores hand to the channels of one of its ends and, where wanted, to the attention. */
        private void add(
                float[] sums,
                int at,
                int from,
                int to,
                int vector,
                float[] perScore,
                int edge,
                float @Nullable [] attentionSums) {
            int channels = width / heads;
            for (int h = 0; h < heads; h++) {
                float gradient = perScore[edge * heads + h];
                for (int c = h * channels; c < (h + 1) * channels; c++) {
                    float z = source[from + c] + target[to + c];
                    float slope = slopes[Float.floatToRawIntBits(z) >>> 31];
                    sums[at + c] += gradient * attention[vector + c] * slope;
                    if (attentionSums != null) {
                        attentionSums[vector + c] += gradient * slope * z;
                    }
                }
            }
        }
    }
}
