// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import dev.nescio.matrix.NdArray;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The values of an array as little-endian bytes, as npy and safetensors both store them. */
public final class RawValues {

    private static final int CHUNK = 1 << 13;

    private RawValues() {}

    static String npyType(NdArray array) {
        if (array instanceof NdArray.Floats) {
            return "<f4";
        }
        if (array instanceof NdArray.Doubles) {
            return "<f8";
        }
        return array instanceof NdArray.Ints ? "<i4" : "|b1";
    }

    static void write(OutputStream out, NdArray array) throws IOException {
        if (array instanceof NdArray.Floats floats) {
            chunks(out, floats.values().length, Float.BYTES, (b, i) -> b.putFloat(floats.values()[i]));
        } else if (array instanceof NdArray.Doubles doubles) {
            chunks(out, doubles.values().length, Double.BYTES, (b, i) -> b.putDouble(doubles.values()[i]));
        } else if (array instanceof NdArray.Ints ints) {
            chunks(out, ints.values().length, Integer.BYTES, (b, i) -> b.putInt(ints.values()[i]));
        } else if (array instanceof NdArray.Booleans booleans) {
            chunks(out, booleans.values().length, 1, (b, i) -> b.put((byte) (booleans.values()[i] ? 1 : 0)));
        }
    }

    @FunctionalInterface
    private interface Put {
        void put(ByteBuffer buffer, int index);
    }

    private static void chunks(OutputStream out, int length, int bytes, Put put) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK * bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int from = 0; from < length; from += CHUNK) {
            buffer.clear();
            for (int i = from; i < Math.min(length, from + CHUNK); i++) {
                put.put(buffer, i);
            }
            out.write(buffer.array(), 0, buffer.position());
        }
    }
}
