// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Many small records as few large ones: what goes to one block is written behind each other, without an object per record. */
final class Chunks<T> implements Iterator<Tuple2<Integer, byte[]>> {

    private static final int LARGEST = 1 << 20;
    private static final int SMALLEST = 1 << 12;
    /** Of all blocks together, about. */
    private static final int MOST_BYTES = 64 << 20;

    private final Iterator<T> items;
    private final Packer<T> packer;
    private final @Nullable Buffer[] buffers;
    private final int limit;
    private final ArrayDeque<Tuple2<Integer, byte[]>> ready = new ArrayDeque<>();
    private int flushed;

    /** Writes an item to every block that it belongs to. */
    @FunctionalInterface
    interface Packer<T> {
        void pack(T item, Chunks<T> to) throws IOException;
    }

    private static final class Buffer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);
    }

    Chunks(Iterator<T> items, int blocks, Packer<T> packer) {
        this.items = items;
        this.packer = packer;
        this.buffers = new Buffer[blocks];
        this.limit = Math.max(SMALLEST, Math.min(LARGEST, MOST_BYTES / blocks));
    }

    /** Where to write a whole record for a block; what was written before is gone from memory once it is much. */
    DataOutputStream to(int block) {
        Buffer buffer = buffers[block];
        if (buffer != null && buffer.bytes.size() >= limit) {
            flush(block, buffer);
            buffer = null;
        }
        if (buffer == null) {
            buffer = new Buffer();
            buffers[block] = buffer;
        }
        return buffer.out;
    }

    private void flush(int block, Buffer buffer) {
        ready.add(new Tuple2<>(block, buffer.bytes.toByteArray()));
        buffers[block] = null;
    }

    static void writeText(String text, DataOutputStream to) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    @Override
    public boolean hasNext() {
        try {
            while (ready.isEmpty() && items.hasNext()) {
                packer.pack(items.next(), this);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        while (ready.isEmpty() && flushed < buffers.length) {
            Buffer buffer = buffers[flushed];
            if (buffer != null) {
                flush(flushed, buffer);
            }
            flushed++;
        }
        return !ready.isEmpty();
    }

    @Override
    public Tuple2<Integer, byte[]> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return ready.remove();
    }
}
