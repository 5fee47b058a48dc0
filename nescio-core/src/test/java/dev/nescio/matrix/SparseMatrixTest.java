// SPDX-License-Identifier: Apache-2.0
package dev.nescio.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.testing.RandomGraphs;
import org.junit.jupiter.api.Test;

class SparseMatrixTest {

    private final SparseMatrix matrix = RandomGraphs.sparse(7, 5, 0.4, 1);

    @Test
    void transposingMirrorsEveryEntry() {
        SparseMatrix flipped = matrix.transposed();

        for (int i = 0; i < 7; i++) {
            for (int j = 0; j < 5; j++) {
                assertThat(flipped.get(j, i)).isEqualTo(matrix.get(i, j));
            }
        }
        assertThat(flipped.transposed().toDense().values())
                .containsExactly(matrix.toDense().values());
    }

    @Test
    void denseAndBackIsTheSame() {
        SparseMatrix back = matrix.toDense().toSparse();

        assertThat(back.pointers()).containsExactly(matrix.pointers());
        assertThat(back.indices()).containsExactly(matrix.indices());
        assertThat(back.values()).containsExactly(matrix.values());
    }

    @Test
    void selectsRows() {
        assertThat(matrix.select(new int[] {4, 1}).toDense().values())
                .containsExactly(matrix.toDense().select(new int[] {4, 1}).values());
    }

    @Test
    void rejectsArraysThatAreNotAMatrix() {
        assertThatThrownBy(() -> SparseMatrix.of(2, new int[] {0, 1}, new int[] {2}, new float[] {1}))
                .hasMessage("entry 0 is in column 2, but there are 2 columns");
        assertThatThrownBy(() -> SparseMatrix.of(2, new int[] {0, 2, 1}, new int[] {0}, new float[] {1}))
                .hasMessage("row pointers must not fall, got 1 after 2 at row 2");
        assertThatThrownBy(() -> SparseMatrix.of(2, new int[] {0, 2}, new int[] {0}, new float[] {1}))
                .hasMessage("the row pointers end at 2, but there are 1 column indices and 1 values");
    }
}
