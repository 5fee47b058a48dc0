// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.testing.RandomGraphs;
import org.junit.jupiter.api.Test;

class WorkLogTest {

    @Test
    void writesDownTheProductsOfAPassAndOfItsGradients() {
        WorkLog.begin();
        Scope.run(() -> {
            Tensor a = Tensor.of(RandomGraphs.dense(3000, 70, 1)).requireGradient();
            Tensor b = Tensor.of(RandomGraphs.dense(70, 50, 2)).requireGradient();
            a.product(b).sum().backward();
        });
        WorkLog log = WorkLog.end();

        assertThat(log.operations()).isEqualTo(3 * 2.0 * 3000 * 70 * 50);
        assertThat(log.timeOfProducts()).isPositive();
        assertThat(log.movedBytes()).isZero();
        assertThat(log.timeOfMoves()).isZero();
    }

    @Test
    void writesDownNothingUnlessItIsAsked() {
        Scope.run(() -> Tensor.of(RandomGraphs.dense(300, 70, 1))
                .product(Tensor.of(RandomGraphs.dense(70, 50, 2)))
                .toFloats());

        assertThat(WorkLog.end().operations()).isZero();
    }
}
