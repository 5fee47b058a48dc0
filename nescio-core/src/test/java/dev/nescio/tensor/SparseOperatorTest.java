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
import org.junit.jupiter.api.Test;

class SparseOperatorTest {

    private final SparseMatrix matrix = RandomGraphs.sparse(9, 6, 0.4, 3);

    @Test
    void equalsThePlainTwin() {
        DenseMatrix x = RandomGraphs.dense(6, 4, 1);
        try (Arena arena = new Arena()) {
            SparseOperator operator = SparseOperator.of(matrix, arena);
            float[] got = Scope.run(() -> operator.apply(Tensor.of(x)).toFloats());
            for (int i = 0; i < 9; i++) {
                for (int c = 0; c < 4; c++) {
                    double sum = 0;
                    for (int j = 0; j < 6; j++) {
                        sum += (double) matrix.get(i, j) * x.get(j, c);
                    }
                    assertThat((double) got[i * 4 + c]).isCloseTo(sum, within(1e-5));
                }
            }
        }
    }

    @Test
    void gradientAgreesWithFiniteDifferences() {
        try (Arena arena = new Arena()) {
            SparseOperator operator = SparseOperator.of(matrix, arena);
            FiniteDifferences.check(in -> operator.apply(in[0]), Input.random(new Rng(5), 6, 3));
        }
    }

    @Test
    void gradientsFlowThroughAChain() {
        SparseMatrix square = RandomGraphs.sparse(6, 6, 0.5, 8);
        try (Arena arena = new Arena()) {
            SparseOperator first = SparseOperator.of(matrix, arena);
            SparseOperator second = SparseOperator.of(square, arena);
            FiniteDifferences.check(
                    in -> first.apply(second.apply(in[0].times(in[0])).gelu()), Input.random(new Rng(6), 6, 3));
        }
    }
}
