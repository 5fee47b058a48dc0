// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.Arrays;
import org.bytedeco.javacpp.BytePointer;
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
        requireRoom(row, values.length);
        if (values.length > 0) {
            all.raw().data_ptr_float().getPointer((long) row * all.columns()).put(values, 0, values.length);
        }
    }

    /** The same from bytes of floats, the lowest first, as every platform of libtorch has them; one copy, where arrays take three. */
    public void put(int row, byte[] values) {
        requireRoom(row, values.length / Float.BYTES);
        if (values.length > 0) {
            long begin = (long) row * all.columns() * Float.BYTES;
            new BytePointer(all.raw().data_ptr_float())
                    .position(begin)
                    .limit(begin + values.length)
                    .asByteBuffer()
                    .put(values);
        }
    }

    /** Native memory behind the last row belongs to somebody else. */
    private void requireRoom(int row, int count) {
        if (row < 0 || (long) row * all.columns() + count > (long) all.rows() * all.columns()) {
            throw new IndexOutOfBoundsException(
                    count + " numbers do not fit from row " + row + " of " + all.rows() + " on");
        }
    }

    /** All rows, without a copy; valid until this is closed. */
    public Tensor all() {
        return all;
    }

    /** Copies of some rows, [chosen, columns], as sums of one row each: that runs on all cores, a selection does not. */
    public Tensor select(int[] rows) {
        int[] pointers = new int[rows.length + 1];
        Arrays.setAll(pointers, i -> i);
        return new Bags(Tensor.of(pointers), Tensor.of(rows)).sum(all, null);
    }

    @Override
    public void close() {
        arena.close();
    }
}
