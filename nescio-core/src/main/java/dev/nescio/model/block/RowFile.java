// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.block;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Rows of floats in a file of our own, which is deleted when it is closed. */
public final class RowFile implements AutoCloseable {

    private static final int BUFFER = 1 << 20;
    /** Rows that nobody wants, between two that somebody does, which are read with them rather than skipped. */
    private static final int GAP_BYTES = 1 << 14;

    private final Path file;
    private final FileChannel channel;
    private final int columns;
    private final long rowBytes;
    private final ByteBuffer buffer;

    /** Makes the file; refuses one that is there already. */
    public RowFile(Path file, int columns) {
        this.file = file;
        this.columns = columns;
        this.rowBytes = (long) Float.BYTES * columns;
        this.buffer =
                ByteBuffer.allocateDirect((int) Math.max(BUFFER, rowBytes)).order(ByteOrder.nativeOrder());
        try {
            this.channel = FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How long a row is. */
    public int columns() {
        return columns;
    }

    /** Writes some rows, the first of them at this place. */
    public void write(int row, float[] values) {
        long at = row * rowBytes;
        try {
            for (int done = 0; done < values.length; ) {
                int count = Math.min(values.length - done, buffer.capacity() / Float.BYTES);
                buffer.clear();
                buffer.asFloatBuffer().put(values, done, count);
                buffer.limit(count * Float.BYTES);
                while (buffer.hasRemaining()) {
                    at += channel.write(buffer, at);
                }
                done += count;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Some rows, one behind the other. */
    public float[] read(int row, int count) {
        float[] values = new float[Math.multiplyExact(count, columns)];
        int perBuffer = (int) (buffer.capacity() / rowBytes);
        for (int done = 0; done < count; done += perBuffer) {
            int rows = Math.min(perBuffer, count - done);
            fill(row + done, rows);
            buffer.asFloatBuffer().get(values, done * columns, rows * columns);
        }
        return values;
    }

    /** Some rows in any order; ascending runs are read together. */
    float[] gather(int[] rows) {
        float[] values = new float[Math.multiplyExact(rows.length, columns)];
        int perBuffer = (int) (buffer.capacity() / rowBytes);
        long gap = Math.max(1, GAP_BYTES / rowBytes);
        for (int first = 0; first < rows.length; ) {
            int last = first;
            while (last + 1 < rows.length
                    && rows[last + 1] > rows[last]
                    && rows[last + 1] - rows[last] <= gap
                    && rows[last + 1] - rows[first] < perBuffer) {
                last++;
            }
            fill(rows[first], rows[last] - rows[first] + 1);
            for (int i = first; i <= last; i++) {
                buffer.position((rows[i] - rows[first]) * columns * Float.BYTES);
                buffer.asFloatBuffer().get(values, i * columns, columns);
            }
            first = last + 1;
        }
        return values;
    }

    private void fill(int row, int count) {
        try {
            buffer.clear().limit((int) (count * rowBytes));
            long at = row * rowBytes;
            while (buffer.hasRemaining()) {
                int read = channel.read(buffer, at);
                if (read < 0) {
                    throw new IOException(file + " ends too early");
                }
                at += read;
            }
            buffer.flip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
