// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
}
