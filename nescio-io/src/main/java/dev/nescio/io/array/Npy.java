// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Zips;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.ZipOutputStream;

/** Single npy files, and writing of npy and npz. */
public final class Npy {

    private static final int ALIGNMENT = 64;
    private static final int PREFIX = 10;

    private Npy() {}

    /** The numbers of one npy file. */
    public static NdArray.Floats readFloats(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new BadInput(file + " does not exist or is not a file");
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            return new NpyReader(in, file.toString(), Files.size(file)).floats();
        } catch (EOFException e) {
            throw new BadInput(file + " is cut off", e);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    /** Writes an array as an npy file, whole or not at all; an older file of this name is replaced. */
    public static void write(Path file, NdArray array) {
        AtomicFile.write(file, out -> write(out, array));
    }

    /** Writes an npz. Entries carry no time, so the same arrays give the same bytes. */
    public static void writeAll(Path file, Map<String, NdArray> arrays) {
        AtomicFile.write(file, out -> {
            ZipOutputStream zip = new ZipOutputStream(out);
            for (Map.Entry<String, NdArray> entry : arrays.entrySet()) {
                Zips.add(zip, entry.getKey() + ".npy", body -> write(body, entry.getValue()));
            }
            zip.finish();
        });
    }

    private static void write(OutputStream out, NdArray array) throws IOException {
        String shape = Arrays.stream(array.shape()).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        String header = "{'descr': '" + RawValues.npyType(array) + "', 'fortran_order': False, 'shape': (" + shape
                + (array.shape().length == 1 ? "," : "") + "), }";
        int padding = ALIGNMENT - (PREFIX + header.length() + 1) % ALIGNMENT;
        byte[] text = (header + " ".repeat(padding % ALIGNMENT) + "\n").getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer prefix = ByteBuffer.allocate(PREFIX).order(ByteOrder.LITTLE_ENDIAN);
        prefix.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) text.length);
        out.write(prefix.array());
        out.write(text);
        RawValues.write(out, array);
    }
}
