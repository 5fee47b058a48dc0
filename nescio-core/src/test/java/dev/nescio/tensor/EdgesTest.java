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
}
