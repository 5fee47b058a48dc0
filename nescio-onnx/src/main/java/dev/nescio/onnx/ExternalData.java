// SPDX-License-Identifier: Apache-2.0
package dev.nescio.onnx;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parameters that an ONNX model keeps in files of their own. They are put into the model, from plain files beside it alone: a model that is
 * part of a detector must compute the same wherever it is, and must not read what somebody else's model names.
 */
final class ExternalData {

    /** Kinds of messages that lead to tensors, and by which fields; from onnx.proto. */
    private enum Kind {
        MODEL,
        GRAPH,
        NODE,
        ATTRIBUTE,
        FUNCTION,
        TRAINING,
        SPARSE,
        TENSOR;

        @Nullable
        Kind child(int field) {
            return CHILDREN.getOrDefault(this, Map.of()).get(field);
        }
    }

    private static final Map<Kind, Map<Integer, Kind>> CHILDREN = Map.of(
            Kind.MODEL, Map.of(7, Kind.GRAPH, 20, Kind.TRAINING, 25, Kind.FUNCTION),
            Kind.GRAPH, Map.of(1, Kind.NODE, 5, Kind.TENSOR, 15, Kind.SPARSE),
            Kind.NODE, Map.of(5, Kind.ATTRIBUTE),
            Kind.ATTRIBUTE,
                    Map.of(
                            5,
                            Kind.TENSOR,
                            6,
                            Kind.GRAPH,
                            10,
                            Kind.TENSOR,
                            11,
                            Kind.GRAPH,
                            22,
                            Kind.SPARSE,
                            23,
                            Kind.SPARSE),
            Kind.FUNCTION, Map.of(7, Kind.NODE, 11, Kind.ATTRIBUTE),
            Kind.TRAINING, Map.of(1, Kind.GRAPH, 2, Kind.GRAPH),
            Kind.SPARSE, Map.of(1, Kind.TENSOR, 2, Kind.TENSOR));

    private static final int RAW_DATA = 9;
    private static final int EXTERNAL_DATA = 13;
    private static final int DATA_LOCATION = 14;
    private static final int DEEPEST = 64;

    private static final int VARINT = 0;
    private static final int LONG = 1;
    private static final int BYTES = 2;
    private static final int INT = 5;

    private final String name;
    private final @Nullable Path folder;

    private ExternalData(String name, @Nullable Path folder) {
        this.name = name;
        this.folder = folder;
    }

    /** A model with everything in it. */
    static byte[] embedded(Path model) {
        try {
            byte[] bytes = Files.readAllBytes(model);
            ExternalData data =
                    new ExternalData(model.toString(), model.toAbsolutePath().getParent());
            return data.rewritten(bytes, Kind.MODEL, 0);
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput(model + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    /** Refuses a model that would read other files. */
    static void requireNone(byte[] model, String name) {
        new ExternalData(name, null).rewritten(model, Kind.MODEL, 0);
    }

    /** One field of a message: its number, its wire type, where it begins and ends, and where its value begins. */
    private record Field(int number, int type, int begin, int value, int end) {}

    private byte[] rewritten(byte[] message, Kind kind, int depth) {
        if (depth > DEEPEST) {
            throw new BadInput(name + " nests graphs more than " + DEEPEST + " deep");
        }
        if (kind == Kind.TENSOR) {
            return tensor(message);
        }
        ByteArrayOutputStream out = null;
        int copied = 0;
        for (int at = 0; at < message.length; ) {
            Field field = field(message, at);
            at = field.end;
            Kind child = kind.child(field.number);
            if (child == null || field.type != BYTES) {
                continue;
            }
            byte[] before = Arrays.copyOfRange(message, field.value, field.end);
            byte[] after = rewritten(before, child, depth + 1);
            if (after != before) {
                out = out == null ? new ByteArrayOutputStream(message.length) : out;
                out.write(message, copied, field.begin - copied);
                bytes(out, field.number, after);
                copied = field.end;
            }
        }
        if (out == null) {
            return message;
        }
        out.write(message, copied, message.length - copied);
        return out.toByteArray();
    }

    private byte[] tensor(byte[] message) {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        Map<String, String> entries = new HashMap<>();
        boolean isExternal = false;
        for (int at = 0; at < message.length; ) {
            Field field = field(message, at);
            at = field.end;
            if (field.number == EXTERNAL_DATA && field.type == BYTES) {
                entry(Arrays.copyOfRange(message, field.value, field.end), entries);
                isExternal = true;
            } else if (field.number == DATA_LOCATION) {
                isExternal |= field.type != VARINT || message[field.value] != 0;
            } else {
                rest.write(message, field.begin, field.end - field.begin);
            }
        }
        if (!isExternal) {
            return message;
        }
        bytes(rest, RAW_DATA, read(entries));
        return rest.toByteArray();
    }

    private void entry(byte[] message, Map<String, String> entries) {
        String[] pair = {"", ""};
        for (int at = 0; at < message.length; ) {
            Field field = field(message, at);
            at = field.end;
            if (field.type == BYTES && field.number >= 1 && field.number <= 2) {
                pair[field.number - 1] =
                        new String(message, field.value, field.end - field.value, StandardCharsets.UTF_8);
            }
        }
        entries.put(pair[0], pair[1]);
    }

    private byte[] read(Map<String, String> entries) {
        String location = entries.getOrDefault("location", "");
        if (folder == null) {
            throw new BadInput(name + " keeps parameters in another file, '" + location
                    + "'; a model in a detector must hold all of them");
        }
        Path file = location.isBlank() || location.matches(".*[/\\\\\\\\\\u0000:].*") || location.startsWith("..")
                ? null
                : folder.resolve(location);
        if (file == null || Files.isSymbolicLink(file) || !Files.isRegularFile(file)) {
            throw new BadInput(name + " keeps parameters in '" + location
                    + "', which is not a plain file beside the model; only such files are read");
        }
        try (FileChannel channel = FileChannel.open(file)) {
            long offset = number(entries.getOrDefault("offset", "0"));
            long length = entries.containsKey("length")
                    ? number(entries.getOrDefault("length", "0"))
                    : channel.size() - offset;
            if (offset < 0 || length < 0 || offset > channel.size() - length || length > Integer.MAX_VALUE - 16) {
                throw new BadInput(name + " expects " + length + " bytes from byte " + offset + " of " + file
                        + ", which has " + channel.size());
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) length);
            channel.position(offset);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // Until all of it is there.
            }
            return buffer.array();
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    private long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BadInput(name + " keeps parameters at '" + text + "', which is not a number", e);
        }
    }

    private Field field(byte[] message, int begin) {
        long[] tag = varint(message, begin);
        // The runtime cuts a tag to 32 bits and would see another field than we do.
        if (tag[0] >>> Integer.SIZE != 0 || tag[0] >>> 3 == 0) {
            throw new BadInput(
                    name + " is not an ONNX model or is damaged: byte " + begin + " of a message is no field");
        }
        int number = (int) (tag[0] >>> 3);
        int type = (int) (tag[0] & 7);
        int at = (int) tag[1];
        long end =
                switch (type) {
                    case VARINT -> varint(message, at)[1];
                    case LONG -> at + 8L;
                    case INT -> at + 4L;
                    case BYTES -> {
                        long[] length = varint(message, at);
                        at = (int) length[1];
                        yield length[0] < 0 ? -1 : at + length[0];
                    }
                    default -> -1;
                };
        if (end < at || end > message.length) {
            throw new BadInput(name + " is not an ONNX model or is damaged");
        }
        return new Field(number, type, begin, at, (int) end);
    }

    /** A number, and where the next thing begins. */
    private long[] varint(byte[] message, int begin) {
        long value = 0;
        for (int i = 0; i < 10; i++) {
            if (begin + i >= message.length) {
                break;
            }
            byte b = message[begin + i];
            value |= (long) (b & 0x7f) << (7 * i);
            if (b >= 0) {
                return new long[] {value, begin + i + 1};
            }
        }
        throw new BadInput(name + " is not an ONNX model or is damaged");
    }

    private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
        varint(out, ((long) field << 3) | BYTES);
        varint(out, value.length);
        out.writeBytes(value);
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
