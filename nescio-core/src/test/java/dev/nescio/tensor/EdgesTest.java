// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.testing.FiniteDifferences;
import dev.nescio.testing.FiniteDifferences.Input;
import dev.nescio.testing.RandomGraphs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EdgesTest {

    private final SparseMatrix structure = RandomGraphs.sparse(8, 6, 0.4, 2);
    private final int edgeCount = structure.indices().length;
    private final Arena arena = new Arena();
    private final Edges edges = Edges.of(structure, arena);

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void weightedSumEqualsThePlainTwin() {
        DenseMatrix x = RandomGraphs.dense(6, 3, 1);
        float[] got = Scope.run(() -> edges.weightedSum(Tensor.of(structure.values(), edgeCount), Tensor.of(x))
                .toFloats());
        for (int i = 0; i < 8; i++) {
            for (int c = 0; c < 3; c++) {
                double sum = 0;
                for (int j = 0; j < 6; j++) {
                    sum += (double) structure.get(i, j) * x.get(j, c);
                }
                assertThat((double) got[i * 3 + c]).isCloseTo(sum, within(1e-5));
            }
        }
    }

    @Test
    void weightedSumHasGradientsForWeightsAndFeatures() {
        FiniteDifferences.check(
                in -> edges.weightedSum(in[0], in[1]),
                Input.random(new Rng(1), edgeCount),
                Input.random(new Rng(2), 6, 4));
    }

    @Test
    void softmaxSumsToOneOverTheEdgesIntoEachNode() {
        float[] scores = new float[edgeCount * 2];
        for (int e = 0; e < edgeCount; e++) {
            scores[2 * e] = 1000 + e;
            scores[2 * e + 1] = -1000 * (e % 3);
        }
        float[] shares =
                Scope.run(() -> edges.softmax(Tensor.of(scores, edgeCount, 2)).toFloats());
        for (int i = 0; i < structure.rows(); i++) {
            for (int head = 0; head < 2; head++) {
                double total = 0;
                double highest = Double.NEGATIVE_INFINITY;
                for (int e = structure.pointers()[i]; e < structure.pointers()[i + 1]; e++) {
                    highest = Math.max(highest, scores[2 * e + head]);
                }
                for (int e = structure.pointers()[i]; e < structure.pointers()[i + 1]; e++) {
                    total += Math.exp(scores[2 * e + head] - highest);
                }
                for (int e = structure.pointers()[i]; e < structure.pointers()[i + 1]; e++) {
                    assertThat((double) shares[2 * e + head])
                            .isCloseTo(Math.exp(scores[2 * e + head] - highest) / total, within(1e-6));
                }
            }
        }
    }

    @Test
    void softmaxGradientAgreesWithFiniteDifferences() {
        FiniteDifferences.check(in -> edges.softmax(in[0]), Input.random(new Rng(3), edgeCount, 2));
    }

    @Test
    void attentionAsAWholeAgreesWithFiniteDifferences() {
        FiniteDifferences.check(
                in -> edges.weightedSum(edges.softmax(in[0]).sumOverColumns(), in[1]),
                Input.random(new Rng(4), edgeCount, 2),
                Input.random(new Rng(5), 6, 3));
    }

    @Test
    void endsOfEdgesHaveGradients() {
        FiniteDifferences.check(in -> edges.fromSource(in[0]), Input.random(new Rng(1), 6, 3));
        FiniteDifferences.check(in -> edges.fromTarget(in[0]), Input.random(new Rng(1), 8, 3));
    }

    @Test
    void headsSumTheirOwnChannels() {
        float[][] results = Scope.run(() -> {
            Tensor weights = Tensor.of(RandomGraphs.dense(edgeCount, 2, 5));
            Tensor x = Tensor.of(RandomGraphs.dense(6, 4, 6));
            float[] together = edges.headSums(weights, x).toFloats();
            float[] first = edges.weightedSum(column(weights, 0), columns(x, 0)).toFloats();
            float[] second =
                    edges.weightedSum(column(weights, 1), columns(x, 2)).toFloats();
            return new float[][] {together, first, second};
        });
        for (int i = 0; i < 8; i++) {
            for (int c = 0; c < 2; c++) {
                assertThat(results[0][i * 4 + c]).isCloseTo(results[1][i * 2 + c], within(1e-5f));
                assertThat(results[0][i * 4 + 2 + c]).isCloseTo(results[2][i * 2 + c], within(1e-5f));
            }
        }
    }

    private static Tensor column(Tensor x, int column) {
        return x.transposed().contiguous().rows(column, 1).reshape(x.rows());
    }

    private static Tensor columns(Tensor x, int first) {
        return x.transposed().contiguous().rows(first, 2).transposed().contiguous();
    }

    @Test
    void headSumsHaveGradients() {
        FiniteDifferences.check(
                in -> edges.headSums(in[0], in[1]),
                Input.random(new Rng(1), edgeCount, 2),
                Input.random(new Rng(2), 6, 4));
    }

    /** Everything at once, as no real graph could afford. */
    private static Tensor plainPairScores(Edges of, Tensor[] in, SparseMatrix structure, int heads, double slope) {
        int width = in[0].columns();
        int edgeCount = structure.indices().length;
        double[] isLoop = new double[edgeCount];
        double[] isOther = new double[edgeCount];
        for (int row = 0; row < structure.rows(); row++) {
            for (int e = structure.pointers()[row]; e < structure.pointers()[row + 1]; e++) {
                isLoop[e] = e == structure.pointers()[row] && structure.indices()[e] == row ? 1 : 0;
                isOther[e] = 1 - isLoop[e];
            }
        }
        Tensor vectors = Tensor.of(isOther, edgeCount, 1)
                .times(in[2].rows(0, 1).toDouble())
                .plus(Tensor.of(isLoop, edgeCount, 1).times(in[2].rows(1, 1).toDouble()));
        return of.fromSource(in[0].toDouble())
                .plus(of.fromTarget(in[1].toDouble()))
                .leakyRelu(slope)
                .times(vectors)
                .reshape(edgeCount * heads, width / heads)
                .sumOverLast()
                .reshape(edgeCount, heads);
    }

    @Test
    void pairScoresEqualThePlainTwinWithItsGradients() {
        SparseMatrix loops = withLoops();
        Edges withLoops = Edges.of(loops, arena);
        int count = loops.indices().length;
        double[][] got = new double[4][];
        double[][] expected = new double[4][];
        for (boolean plain : new boolean[] {false, true}) {
            Scope.run(() -> {
                Tensor[] in = {
                    Tensor.of(RandomGraphs.dense(8, 6, 1)).requireGradient(),
                    Tensor.of(RandomGraphs.dense(8, 6, 2)).requireGradient(),
                    Tensor.of(RandomGraphs.dense(2, 6, 3)).requireGradient()
                };
                Tensor scores = plain
                        ? plainPairScores(withLoops, in, loops, 2, 0.2)
                        : withLoops.pairScores(in[0], in[1], in[2], 2, 0.2);
                double[][] into = plain ? expected : got;
                into[0] = scores.toDoubles();
                scores.toDouble()
                        .times(Tensor.of(RandomGraphs.dense(count, 2, 4)).toDouble())
                        .sum()
                        .backward();
                for (int i = 0; i < 3; i++) {
                    into[i + 1] = in[i].gradient().toDoubles();
                }
            });
        }
        for (int i = 0; i < 4; i++) {
            assertThat(got[i]).hasSameSizeAs(expected[i]);
            for (int j = 0; j < got[i].length; j++) {
                assertThat(got[i][j]).as("part %d, entry %d", i, j).isCloseTo(expected[i][j], within(1e-4));
            }
        }
    }

    /** The twin itself is right: its gradient agrees with differences. */
    @Test
    void thePlainTwinOfPairScoresHasGradients() {
        SparseMatrix loops = withLoops();
        Edges withLoops = Edges.of(loops, arena);
        FiniteDifferences.check(
                in -> plainPairScores(withLoops, in, loops, 2, 0.2),
                Input.random(new Rng(1), 8, 4),
                Input.random(new Rng(2), 8, 4),
                Input.random(new Rng(3), 2, 4));
    }

    /** Some nodes have a loop as their first edge. */
    private static SparseMatrix withLoops() {
        return SparseMatrix.of(
                8, new int[] {0, 3, 5, 5, 6, 8, 9, 9, 11}, new int[] {0, 1, 4, 1, 0, 2, 4, 3, 5, 0, 7}, new float[11]);
    }
}
