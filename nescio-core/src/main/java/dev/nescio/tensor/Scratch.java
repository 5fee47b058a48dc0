// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import org.bytedeco.javacpp.FloatPointer;

/**
 * Memory of one thread for entries that are worked on in the cache: copied from native memory to the heap, where loops become vector
 * instructions, and back.
 */
final class Scratch {

    /** Entries at a time. */
    static final int ENTRIES = 1 << 11;

    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    final float[] values = new float[ENTRIES];
    final float[] factors = new float[ENTRIES];
    final float[] slopes = new float[ENTRIES];
    final int[] bits = new int[ENTRIES];

    private final IntBuffer asInts;
    private final FloatBuffer asFloats;
    private FloatBuffer memory = direct(0);
    private FloatPointer nativeRows = new FloatPointer(memory);

    private Scratch() {
        ByteBuffer both = ByteBuffer.allocateDirect(ENTRIES * Float.BYTES).order(ByteOrder.nativeOrder());
        this.asInts = both.asIntBuffer();
        this.asFloats = both.asFloatBuffer();
    }

    static Scratch ofThread() {
        return OF_THREAD.get();
    }

    /** Takes {@link #bits} as the floats that they are. */
    void bitsToFactors(int size) {
        asInts.put(0, bits, 0, size);
        asFloats.get(0, factors, 0, size);
    }

    /** Native memory with any content for so many entries; what was given before is gone. */
    FloatPointer nativeRows(int entries) {
        if (memory.capacity() < entries) {
            memory = direct(entries);
            nativeRows = new FloatPointer(memory);
        }
        return nativeRows;
    }

    private static FloatBuffer direct(int entries) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(Math.max(1, entries), Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
