// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.tensor.NativeRows;
import java.io.Serializable;
import java.nio.ByteBuffer;
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
 * @param columns of every row
 * @param values of the rows, as bytes
 */
@DefaultSerializer(JavaSerializer.class)
record Message(int block, int first, int columns, byte[] values) implements Serializable {

    /** A message stays below what any serializer of Spark takes. */
    private static final int MOST_BYTES = 4 << 20;

    /** All messages of a block, each made when it is asked for. */
    static Iterator<Tuple2<Integer, Message>> of(int block, BlockPlan plan, Rows heard) {
        int columns = heard.columns();
        int atATime = Math.max(1, MOST_BYTES / Math.max(1, columns * Float.BYTES));
        return new Iterator<>() {
            private int send;
            private int row;

            @Override
            public boolean hasNext() {
                return send < plan.sends().size();
            }

            @Override
            public Tuple2<Integer, Message> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                BlockPlan.Send now = plan.sends().get(send);
                int first = row;
                int count = Math.min(atATime, now.rows().length - first);
                ByteBuffer bytes = ByteBuffer.allocate(count * columns * Float.BYTES);
                FloatBuffer floats = bytes.asFloatBuffer();
                for (int i = first; i < first + count; i++) {
                    floats.put(heard.values(), now.rows()[i] * columns, columns);
                }
                row += count;
                if (row == now.rows().length) {
                    row = 0;
                    send++;
                }
                return new Tuple2<>(now.block(), new Message(block, first, columns, bytes.array()));
            }
        };
    }

    void putInto(NativeRows rows, BlockPlan plan) {
        float[] floats = new float[values.length / Float.BYTES];
        ByteBuffer.wrap(values).asFloatBuffer().get(floats);
        rows.put(plan.begins()[block] + first, floats);
    }
}
