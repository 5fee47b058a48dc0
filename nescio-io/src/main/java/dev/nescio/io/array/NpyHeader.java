// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import dev.nescio.option.Nearest;
import dev.nescio.problem.BadInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first bytes of an npy array: kind and size of an element, byte order, shape.
 *
 * @param kind f float, i integer, u unsigned, b boolean, U text, S bytes, O object
 * @param size bytes per element; characters for text
 * @param byColumns whether the first index runs fastest (Fortran order)
 */
public record NpyHeader(char kind, int size, ByteOrder order, boolean byColumns, int[] shape) {

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int LONGEST_HEADER = 1 << 16;
    private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([<>|=]?)([a-zA-Z?])(\\d*)'");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*True");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");

    /** Reads and checks; leaves the stream at the first element. */
    static NpyHeader read(DataInputStream in, String place) throws IOException {
        byte[] start = new byte[8];
        in.readFully(start);
        if (!Arrays.equals(MAGIC, Arrays.copyOf(start, MAGIC.length))) {
            throw new BadInput(place + " is not an npy array: its first bytes are not those of NumPy");
        }
        int length = start[6] == 1
                ? Short.toUnsignedInt(Short.reverseBytes(in.readShort()))
                : Integer.reverseBytes(in.readInt());
        if (length < 0 || length > LONGEST_HEADER) {
            throw new BadInput(place + " has a header of " + Integer.toUnsignedString(length) + " bytes; the limit is "
                    + LONGEST_HEADER);
        }
        byte[] text = new byte[length];
        in.readFully(text);
        return parse(new String(text, StandardCharsets.ISO_8859_1), place);
    }

    private static NpyHeader parse(String header, String place) {
        Matcher descr = DESCR.matcher(header);
        Matcher shape = SHAPE.matcher(header);
        if (!descr.find() || !shape.find()) {
            throw new BadInput(place + " has a header that cannot be read: " + Nearest.shortened(header));
        }
        int[] extents = shape(shape.group(1), place);
        char kind = descr.group(2).charAt(0) == '?' ? 'b' : descr.group(2).charAt(0);
        int size = descr.group(3).isEmpty() ? (kind == 'O' ? 8 : 1) : parseSize(descr.group(3), place);
        ByteOrder order = descr.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new NpyHeader(kind, size, order, FORTRAN.matcher(header).find(), extents);
    }

    private static int parseSize(String digits, String place) {
        int size = digits.length() > 6 ? 0 : Integer.parseInt(digits);
        if (size == 0) {
            throw new BadInput(place + " has elements of " + Nearest.shortened(digits) + " bytes");
        }
        return size;
    }

    private static int[] shape(String text, String place) {
        int[] extents = Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .mapToInt(part -> extent(part, place))
                .toArray();
        long product = 1;
        for (int extent : extents) {
            product *= extent;
            if (product > Integer.MAX_VALUE) {
                throw new BadInput(place + " claims shape (" + Nearest.shortened(text) + "), more than the limit of "
                        + Integer.MAX_VALUE + " elements");
            }
        }
        return extents;
    }

    private static int extent(String part, String place) {
        try {
            int extent = Integer.parseInt(part);
            if (extent >= 0) {
                return extent;
            }
        } catch (NumberFormatException e) {
            // Too large for an array, or not a number: one message for both.
        }
        throw new BadInput(place + " claims an extent of " + Nearest.shortened(part) + "; the limit is "
                + Integer.MAX_VALUE + " elements in all");
    }

    int elements() {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    /** Where the i-th element of the file belongs in row-major order. */
    int rowMajor(int fileIndex) {
        if (!byColumns) {
            return fileIndex;
        }
        int index = 0;
        int left = fileIndex;
        int stride = elements();
        for (int extent : shape) {
            stride /= extent;
            index += left % extent * stride;
            left /= extent;
        }
        return index;
    }

    /** Bytes of one element in the file. */
    int bytes() {
        return kind == 'U' ? 4 * size : size;
    }

    String dtype() {
        return kind == 'b' ? "bool" : "" + kind + size;
    }
}
