// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.matrix.SparseMatrix;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a sparse structure as the bags of libtorch's {@code embedding_bag}, several times faster than every other
 * sparse product there. No gradients: whoever uses this attaches them.
 */
record Bags(Tensor pointers, Tensor indices) {

    private static final int SUM = 0;
    private static final int MAX = 2;

    static Bags of(SparseMatrix matrix, Arena arena) {
        return new Bags(arena.own(Tensor.of(matrix.pointers())), arena.own(Tensor.of(matrix.indices())));
    }

    /** Per row the sum of the table's rows at its indices, each times its weight; zeros where a row is empty. */
    Tensor sum(Tensor table, @Nullable Tensor weights) {
        return reduce(table, weights, SUM);
    }

    /** Per row and column the largest entry of the table's rows at its indices; zero where a row is empty. */
    Tensor max(Tensor table) {
        return reduce(table, null, MAX);
    }

    private Tensor reduce(Tensor table, @Nullable Tensor weights, int mode) {
        WorkLog.moved(Float.BYTES
                * (long) table.columns()
                * (indices.raw().numel() + pointers.raw().numel() - 1));
        TensorOptional perEntry = weights == null
                ? new TensorOptional()
                : new TensorOptional(
                        weights.raw().toType(table.raw().scalar_type()).detach());
        return Tensor.ofPart(torch.embedding_bag(
                        table.raw().detach().contiguous(),
                        indices.raw(),
                        pointers.raw(),
                        false,
                        mode,
                        false,
                        perEntry,
                        true)
                .get0());
    }
}
