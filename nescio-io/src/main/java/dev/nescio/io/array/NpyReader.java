// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads one npy array, element by element into the kind that is asked for; memory is asked for after the checks. */
public final class NpyReader {

    private static final int CHUNK = 1 << 16;

    private final String place;
    private final DataInputStream in;
    private final NpyHeader header;

    /** @param available an upper bound of the bytes that can follow, so that no header can claim more */
    NpyReader(InputStream stream, String place, long available) throws IOException {
        this.place = place;
        this.in = new DataInputStream(stream);
        this.header = NpyHeader.read(in, place);
        long claimed = (long) header.elements() * header.bytes();
        if (header.kind() != 'O' && claimed > available) {
            throw new BadInput(place + " claims " + header.elements() + " elements of " + header.bytes()
                    + " bytes, but the file holds at most " + available + " bytes");
        }
    }

    boolean isObject() {
        return header.kind() == 'O';
    }

    NdArray.Floats floats() throws IOException {
        require("numbers", "fiub");
        float[] values = new float[header.elements()];
        each((buffer, i) -> values[i] = (float) number(buffer));
        return new NdArray.Floats(header.shape(), values);
    }

    NdArray.Doubles doubles() throws IOException {
        require("numbers", "fiub");
        double[] values = new double[header.elements()];
        each((buffer, i) -> values[i] = number(buffer));
        return new NdArray.Doubles(header.shape(), values);
    }

    NdArray.Ints ints() throws IOException {
        require("whole numbers", "iub");
        int[] values = new int[header.elements()];
        each((buffer, i) -> {
            long value = whole(buffer);
            if (value != (int) value) {
                throw new BadInput(
                        place + " holds " + value + " at position " + i + "; the limit is " + Integer.MAX_VALUE);
            }
            values[i] = (int) value;
        });
        return new NdArray.Ints(header.shape(), values);
    }

    NdArray.Booleans booleans() throws IOException {
        require("booleans", "b");
        boolean[] values = new boolean[header.elements()];
        each((buffer, i) -> values[i] = buffer.get() != 0);
        return new NdArray.Booleans(header.shape(), values);
    }

    List<String> strings() throws IOException {
        require("text", "US");
        String[] values = new String[header.elements()];
        each((buffer, i) -> values[i] = text(buffer));
        return List.of(values);
    }

    private void require(String wanted, String kinds) {
        if (kinds.indexOf(header.kind()) < 0) {
            throw new BadInput(place + " has dtype " + header.dtype() + ", expected " + wanted
                    + (header.kind() == 'O' ? " (object arrays are never read: they can execute code)" : ""));
        }
    }

    @FunctionalInterface
    private interface Element {
        void read(ByteBuffer buffer, int index);
    }

    private void each(Element element) throws IOException {
        int perChunk = Math.max(1, CHUNK / Math.max(1, header.bytes()));
        byte[] bytes = new byte[perChunk * header.bytes()];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(header.order());
        for (int from = 0; from < header.elements(); from += perChunk) {
            int count = Math.min(perChunk, header.elements() - from);
            in.readFully(bytes, 0, count * header.bytes());
            for (int i = 0; i < count; i++) {
                buffer.position(i * header.bytes());
                element.read(buffer, header.rowMajor(from + i));
            }
        }
    }

    private double number(ByteBuffer buffer) {
        if (header.kind() != 'f') {
            return whole(buffer);
        }
        return switch (header.size()) {
            case 2 -> Half.ofIeee(buffer.getShort());
            case 4 -> buffer.getFloat();
            case 8 -> buffer.getDouble();
            default -> throw unknown();
        };
    }

    private long whole(ByteBuffer buffer) {
        boolean signed = header.kind() == 'i';
        return switch (header.size()) {
            case 1 -> signed ? buffer.get() : Byte.toUnsignedLong(buffer.get());
            case 2 -> signed ? buffer.getShort() : Short.toUnsignedLong(buffer.getShort());
            case 4 -> signed ? buffer.getInt() : Integer.toUnsignedLong(buffer.getInt());
            case 8 -> buffer.getLong();
            default -> throw unknown();
        };
    }

    private String text(ByteBuffer buffer) {
        StringBuilder text = new StringBuilder();
        for (int c = 0; c < header.size(); c++) {
            int point = header.kind() == 'U' ? buffer.getInt() : Byte.toUnsignedInt(buffer.get());
            if (point != 0) {
                if (!Character.isValidCodePoint(point)) {
                    throw new BadInput(place + " holds text with character number " + Integer.toUnsignedString(point));
                }
                text.appendCodePoint(point);
            }
        }
        return text.toString().strip();
    }

    private BadInput unknown() {
        return new BadInput(place + " has dtype " + header.dtype() + ", which is not supported");
    }
}
