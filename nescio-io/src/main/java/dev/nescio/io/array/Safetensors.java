// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Sha256;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadModelFile;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The safetensors format: eight bytes of length, a JSON header, raw little-endian values. Holds numbers and nothing else;
 * reading it cannot execute anything. Floats of 16, 32 and 64 bits, ints and booleans are supported.
 */
public final class Safetensors {

    private static final long LONGEST_HEADER = 16 << 20;
    private static final int CHUNK = 1 << 13;
    private static final String METADATA = "__metadata__";
    /** Ours: other programs neither write nor need it. */
    private static final String DIGEST = "nescio.sha256";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Safetensors() {}

    /**
     * Writes arrays by name, in the order of the map, with a checksum; the same map gives the same bytes. The stream stays open.
     */
    public static void write(OutputStream out, Map<String, NdArray> arrays) throws IOException {
        ObjectNode header = JSON.createObjectNode();
        long offset = 0;
        for (Map.Entry<String, NdArray> entry : arrays.entrySet()) {
            NdArray array = entry.getValue();
            long end = offset + (long) size(dtype(array)) * length(array.shape());
            ObjectNode description = header.putObject(entry.getKey());
            description.put("dtype", dtype(array));
            Arrays.stream(array.shape()).forEach(description.putArray("shape")::add);
            description.putArray("data_offsets").add(offset).add(end);
            offset = end;
        }
        header.putObject(METADATA).put(DIGEST, digest(arrays));
        byte[] text = JSON.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(text, (text.length + 7) / 8 * 8);
        Arrays.fill(padded, text.length, padded.length, (byte) ' ');
        out.write(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(padded.length)
                .array());
        out.write(padded);
        for (NdArray array : arrays.values()) {
            RawValues.write(out, array);
        }
    }

    /** Of names, shapes and values, so that a damaged file is refused rather than computed with. */
    private static String digest(Map<String, NdArray> arrays) throws IOException {
        MessageDigest sha256 = Sha256.digest();
        OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), sha256);
        for (Map.Entry<String, NdArray> entry : arrays.entrySet()) {
            NdArray array = entry.getValue();
            String head = entry.getKey() + " " + dtype(array) + " " + Arrays.toString(array.shape()) + "\n";
            out.write(head.getBytes(StandardCharsets.UTF_8));
            RawValues.write(out, array);
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** @param available how many bytes the stream holds at most, so that no header can claim more */
    public static Map<String, NdArray> read(InputStream stream, String place, long available) {
        try {
            DataInputStream in = new DataInputStream(stream);
            long length = Long.reverseBytes(in.readLong());
            if (length < 2 || length > Math.min(LONGEST_HEADER, available)) {
                throw new BadModelFile(place + " has a header of " + Long.toUnsignedString(length)
                        + " bytes; the limit is " + Math.min(LONGEST_HEADER, available));
            }
            byte[] text = new byte[(int) length];
            in.readFully(text);
            Map<String, NdArray> arrays = new LinkedHashMap<>();
            long position = 0;
            for (Item item : items(text, place)) {
                if (item.begin != position || item.end > available - 8 - length) {
                    throw new BadModelFile(place + ": '" + item.name + "' lies at bytes " + item.begin + " to "
                            + item.end + ", but must begin at " + position + " and end within "
                            + (available - 8 - length));
                }
                arrays.put(item.name, values(in, item));
                position = item.end;
            }
            String digest = JSON.readTree(text).path(METADATA).path(DIGEST).asString("");
            if (!digest.isEmpty() && !digest.equals(digest(arrays))) {
                throw new BadModelFile(place + " is damaged: its checksum is wrong");
            }
            return arrays;
        } catch (EOFException e) {
            throw new BadModelFile(place + " is cut off", e);
        } catch (IOException | JacksonException e) {
            throw new BadModelFile(place + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    private record Item(String name, String dtype, int[] shape, long begin, long end) {}

    private static List<Item> items(byte[] text, String place) {
        List<Item> items = new ArrayList<>();
        for (Map.Entry<String, JsonNode> property : JSON.readTree(text).properties()) {
            if (property.getKey().equals(METADATA)) {
                continue;
            }
            JsonNode node = property.getValue();
            List<Integer> shape = new ArrayList<>();
            node.path("shape").forEach(extent -> shape.add(extent.asInt(-1)));
            Item item = new Item(
                    property.getKey(),
                    node.path("dtype").asString(""),
                    shape.stream().mapToInt(Integer::intValue).toArray(),
                    node.path("data_offsets").path(0).asLong(-1),
                    node.path("data_offsets").path(1).asLong(-1));
            check(item, place);
            items.add(item);
        }
        items.sort(Comparator.comparingLong(Item::begin).thenComparingLong(Item::end));
        return items;
    }

    private static void check(Item item, String place) {
        int size = size(item.dtype);
        long length = length(item.shape);
        if (size == 0) {
            throw new BadModelFile(place + ": '" + item.name + "' has dtype '" + item.dtype
                    + "', expected F16, BF16, F32, F64, I32, I64 or BOOL");
        }
        if (length < 0 || length > Integer.MAX_VALUE || item.begin < 0 || item.end - item.begin != length * size) {
            throw new BadModelFile(place + ": '" + item.name + "' has shape " + Arrays.toString(item.shape)
                    + " but lies at" + " bytes " + item.begin + " to " + item.end);
        }
    }

    private static NdArray values(DataInputStream in, Item item) throws IOException {
        int length = (int) length(item.shape);
        switch (item.dtype) {
            case "F32" -> {
                float[] values = new float[length];
                chunks(in, length, Float.BYTES, (b, i) -> values[i] = b.getFloat());
                return new NdArray.Floats(item.shape, values);
            }
            case "F64" -> {
                double[] values = new double[length];
                chunks(in, length, Double.BYTES, (b, i) -> values[i] = b.getDouble());
                return new NdArray.Doubles(item.shape, values);
            }
            case "F16" -> {
                float[] values = new float[length];
                chunks(in, length, Short.BYTES, (b, i) -> values[i] = Half.ofIeee(b.getShort()));
                return new NdArray.Floats(item.shape, values);
            }
            case "BF16" -> {
                float[] values = new float[length];
                chunks(in, length, Short.BYTES, (b, i) -> values[i] = Half.ofBrain(b.getShort()));
                return new NdArray.Floats(item.shape, values);
            }
            case "BOOL" -> {
                boolean[] values = new boolean[length];
                chunks(in, length, 1, (b, i) -> values[i] = b.get() != 0);
                return new NdArray.Booleans(item.shape, values);
            }
            case "I64" -> {
                double[] values = new double[length];
                chunks(in, length, Long.BYTES, (b, i) -> values[i] = b.getLong());
                return new NdArray.Doubles(item.shape, values);
            }
            default -> {
                int[] values = new int[length];
                chunks(in, length, Integer.BYTES, (b, i) -> values[i] = b.getInt());
                return new NdArray.Ints(item.shape, values);
            }
        }
    }

    @FunctionalInterface
    private interface Take {
        void take(ByteBuffer buffer, int index);
    }

    private static void chunks(DataInputStream in, int length, int size, Take take) throws IOException {
        byte[] bytes = new byte[Math.min(CHUNK, Math.max(1, length)) * size];
        for (int from = 0; from < length; from += CHUNK) {
            int count = Math.min(CHUNK, length - from);
            in.readFully(bytes, 0, count * size);
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = from; i < from + count; i++) {
                take.take(buffer, i);
            }
        }
    }

    private static String dtype(NdArray array) {
        if (array instanceof NdArray.Floats) {
            return "F32";
        }
        if (array instanceof NdArray.Doubles) {
            return "F64";
        }
        if (array instanceof NdArray.Ints) {
            return "I32";
        }
        return "BOOL";
    }

    private static int size(String dtype) {
        return switch (dtype) {
            case "F32", "I32" -> 4;
            case "F64", "I64" -> 8;
            case "F16", "BF16" -> 2;
            case "BOOL" -> 1;
            default -> 0;
        };
    }

    /** The number of elements; negative where an extent is, or where there are too many. */
    private static long length(int[] shape) {
        long length = 1;
        for (int extent : shape) {
            length = extent < 0 || length > Integer.MAX_VALUE ? -1 : length * extent;
            if (length < 0) {
                return -1;
            }
        }
        return length;
    }
}
