// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** For tests that change a saved detector on purpose and want to get past its checksums. */
public final class Sums {

    private Sums() {}

    /** Makes the checksums of a folder those of its files. */
    public static void renew(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            String text = files.filter(file -> !file.endsWith("SHA256SUMS"))
                    .sorted()
                    .map(Sums::line)
                    .collect(Collectors.joining());
            Files.writeString(folder.resolve("SHA256SUMS"), text);
        }
    }

    private static String line(Path file) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest) + "  " + file.getFileName() + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same for the bytes of a packed graph, whose pieces have one each; pieces that lie nowhere keep theirs. */
    public static void renewPacked(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int trailer = bytes.length - 40;
        int table = (int) file.getLong(trailer);
        int end = table + file.getInt(trailer + 8);
        if (table >= 0 && end <= bytes.length) {
            for (int at = table; at + 4 <= end; ) {
                int count = file.getInt(at);
                at += 4;
                for (int i = 0; i < count && at + 16 <= end; i++, at += 16) {
                    renew(file, at);
                }
            }
        }
        renew(file, trailer);
        renew(file, trailer + 16);
    }

    /** A place of eight bytes, a length of four, a checksum. */
    private static void renew(ByteBuffer file, int at) {
        long place = file.getLong(at);
        int length = file.getInt(at + 8);
        if (place >= 0 && length >= 0 && place <= file.capacity() - length) {
            CRC32C crc = new CRC32C();
            crc.update(file.array(), (int) place, length);
            file.putInt(at + 12, (int) crc.getValue());
        }
    }
}
