// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import dev.nescio.tensor.NativeRows;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import scala.Tuple2;

/**
 * Some of the rows that a block sends to another one. It says itself where they belong, so that it does not matter in which order messages
 * arrive.
 *
 * @param block that sends
 * @param first number of the first row among all that it sends there
 * @param values of the rows, as bytes, the lowest first
 */
record Message(int block, int first, byte[] values) {

    /** Few enough that a message is written before it has left the caches, and enough that nobody counts messages. */
    private static final int MOST_BYTES = 256 << 10;

    /**
     * A message that is not written yet: its rows are copied once, when it is.
     *
     * @param heard all rows of the block
     * @param rows that are sent to the other block
     * @param first of those that this message has
     * @param count of those that this message has
     */
    record Outgoing(int block, Rows heard, int[] rows, int first, int count) {

        /** @param room for {@link #size} bytes; what stands there is overwritten */
        void write(DataOutputStream to, byte[] room) throws IOException {
            FloatBuffer floats =
                    ByteBuffer.wrap(room).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
            for (int i = 0; i < count; i++) {
                floats.put(heard.values(), rows[first + i] * heard.columns(), heard.columns());
            }
            to.writeInt(block);
            to.writeInt(first);
            to.writeInt(size());
            to.write(room, 0, size());
        }

        /** Bytes of all its rows. */
        int size() {
            return count * heard.columns() * Float.BYTES;
        }
    }

    static Message read(DataInputStream from) throws IOException {
        int block = from.readInt();
        int first = from.readInt();
        byte[] values = new byte[from.readInt()];
        from.readFully(values);
        return new Message(block, first, values);
    }

    /** All messages of a block, with the block that each goes to. */
    static Iterator<Tuple2<Integer, Outgoing>> of(int block, BlockPlan plan, Rows heard) {
        int atATime = Math.max(1, MOST_BYTES / Math.max(1, heard.columns() * Float.BYTES));
        return new Iterator<>() {
            private int send;
            private int row;

            @Override
            public boolean hasNext() {
                return send < plan.sends().size();
            }

            @Override
            public Tuple2<Integer, Outgoing> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                BlockPlan.Send now = plan.sends().get(send);
                int first = row;
                int count = Math.min(atATime, now.rows().length - first);
                row += count;
                if (row == now.rows().length) {
                    row = 0;
                    send++;
                }
                return new Tuple2<>(now.block(), new Outgoing(block, heard, now.rows(), first, count));
            }
        };
    }

    void putInto(NativeRows rows, BlockPlan plan) {
        rows.put(plan.begins()[block] + first, values);
    }
}
