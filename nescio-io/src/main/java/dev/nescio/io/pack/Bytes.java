// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that grow, with whole numbers in as few of them as they need. */
final class Bytes {

    private byte[] bytes = new byte[1 << 12];
    private int size;

    void add(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    /** Seven bits per byte, the lowest first. */
    void addNumber(int value) {
        room(5);
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void addFloat(float value) {
        room(Float.BYTES);
        buffer(size).putFloat(value);
        size += Float.BYTES;
    }

    void addAll(byte[] more) {
        room(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    void addFloats(float[] values, int from, int count) {
        room(Math.multiplyExact(count, Float.BYTES));
        buffer(size).asFloatBuffer().put(values, from, count);
        size += count * Float.BYTES;
    }

    void addInts(int[] values, int from, int count) {
        room(Math.multiplyExact(count, Integer.BYTES));
        buffer(size).asIntBuffer().put(values, from, count);
        size += count * Integer.BYTES;
    }

    private ByteBuffer buffer(int from) {
        return ByteBuffer.wrap(bytes, from, bytes.length - from).slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(
                    bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(size + (long) more, 2L * size)));
        }
    }

    int size() {
        return size;
    }

    ByteBuffer taken() {
        return ByteBuffer.wrap(bytes, 0, size).slice();
    }

    void clear() {
        size = 0;
    }

    /** The inverse of {@link #addNumber}; refuses what is too long. */
    static int number(ByteBuffer from) {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte next = from.get();
            value |= (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number has more than five bytes");
    }
}
