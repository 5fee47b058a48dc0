// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.testing.RandomGraphs;
import org.junit.jupiter.api.Test;

class NativeMatrixTest {

    private final DenseMatrix plain = RandomGraphs.dense(700, 9, 1);

    @Test
    void isReadWhereItIsAndOnTheHeap() {
        try (Arena arena = new Arena()) {
            DenseMatrix matrix = Scope.run(() -> NativeMatrix.of(Tensor.of(plain), arena));

            assertThat(Scope.run(() -> TensorRows.of(matrix, 100, 50).toFloats()))
                    .isEqualTo(Scope.run(() -> TensorRows.of(plain, 100, 50).toFloats()));
            int[] chosen = {3, 699, 0};
            assertThat(Scope.run(() -> TensorRows.of(matrix, chosen).toFloats()))
                    .isEqualTo(plain.select(chosen).values());
            assertThat(matrix.get(5, 7)).isEqualTo(plain.get(5, 7));
            assertThat(matrix.values()).isEqualTo(plain.values()).isSameAs(matrix.values());
            assertThat(matrix.stored()).isEqualTo(plain.stored());
            assertThat(matrix.firstNotFinite()).isNull();
        }
    }

    @Test
    void refusesToBeReadOnceItsOwnerIsClosed() {
        Arena arena = new Arena();
        DenseMatrix matrix = Scope.run(() -> NativeMatrix.of(Tensor.of(plain), arena));
        DenseMatrix seen = Scope.run(() -> NativeMatrix.of(Tensor.of(plain), arena));
        seen.values();
        arena.close();

        assertThatThrownBy(matrix::values)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("these rows were in native memory, which has been freed");
        assertThatThrownBy(() -> Scope.run(() -> TensorRows.of(matrix, 0, 1)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(seen.values()).isEqualTo(plain.values());
    }

    @Test
    void aMatrixOfTwoHundredBlocksFindsTheEntryThatIsNotFinite() {
        float[] values = new float[1_000_000];
        values[777_777] = Float.NaN;
        values[777_779] = Float.POSITIVE_INFINITY;

        Matrix.Entry entry = DenseMatrix.of(1000, 1000, values).firstNotFinite();

        assertThat(entry).isNotNull();
        assertThat(entry.row()).isEqualTo(777);
        assertThat(entry.column()).isEqualTo(777);
    }
}
