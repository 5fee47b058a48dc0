// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import org.bytedeco.pytorch.global.torch.ScalarType;

/** A large matrix in native memory that is filled by rows and read by rows. Freed when it is closed. */
public final class NativeRows implements AutoCloseable {

    private final Arena arena = new Arena();
    private final Tensor all;

    /** With any content: [rows, columns]. */
    public NativeRows(int rows, int columns) {
        this.all = Scope.run(() -> arena.own(Tensor.empty(ScalarType.Float, rows, columns)));
    }

    /** Overwrites some rows, beginning with this one. */
    public void put(int row, float[] values) {
        if (values.length > 0) {
            all.raw().data_ptr_float().getPointer((long) row * all.columns()).put(values, 0, values.length);
        }
    }

    /** Copies of some rows: [chosen, columns]. */
    public Tensor select(int[] rows) {
        return all.select(Tensor.of(rows));
    }

    @Override
    public void close() {
        arena.close();
    }
}
