// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads what {@link Chunks} has written. */
final class ChunkReader {

    private final ByteBuffer bytes;

    ChunkReader(byte[] chunk) {
        this.bytes = ByteBuffer.wrap(chunk);
    }

    boolean hasMore() {
        return bytes.hasRemaining();
    }

    String text() {
        int length = bytes.getInt();
        String text = new String(bytes.array(), bytes.position(), length, StandardCharsets.UTF_8);
        bytes.position(bytes.position() + length);
        return text;
    }

    int number() {
        return bytes.getInt();
    }

    float decimal() {
        return bytes.getFloat();
    }

    void decimals(float[] values, int from, int count) {
        bytes.asFloatBuffer().get(values, from, count);
        bytes.position(bytes.position() + count * Float.BYTES);
    }
}
