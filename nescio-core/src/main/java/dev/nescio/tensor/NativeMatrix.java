// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.matrix.DenseMatrix;

/**
 * A matrix that stays in native memory: its entries are copied to the heap only where somebody asks for them. Nothing can be read
 * once its owner is closed.
 */
public final class NativeMatrix implements TensorRows {

    private final Tensor all;
    private final Arena owner;

    private NativeMatrix(Tensor all, Arena owner) {
        this.all = all;
        this.owner = owner;
    }

    /**
     * A matrix over a tensor [rows, columns] that nobody changes any more.
     *
     * @param owner of the tensor from now on
     */
    public static DenseMatrix of(Tensor tensor, Arena owner) {
        Tensor kept = owner.own(tensor.detached().contiguous());
        return DenseMatrix.later(kept.rows(), kept.columns(), new NativeMatrix(kept, owner));
    }

    @Override
    public Tensor rows(int from, int count) {
        requireOpen();
        return all.rows(from, count);
    }

    @Override
    public Tensor rows(int[] chosen) {
        requireOpen();
        return all.select(Tensor.of(chosen));
    }

    private void requireOpen() {
        if (owner.isClosed()) {
            throw new IllegalStateException("these rows were in native memory, which has been freed");
        }
    }
}
