// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadModelFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** SHA-256 of files by name, as {@code sha256sum} writes them. */
final class Checksums {

    private final Map<String, String> byName = new TreeMap<>();

    static Checksums parse(String text) throws IOException {
        Checksums sums = new Checksums();
        for (String line : text.lines().toList()) {
            if (!line.matches("[0-9a-f]{64}  [A-Za-z0-9._-]+")) {
                throw new IOException("its checksums are damaged");
            }
            sums.byName.put(line.substring(66), line.substring(0, 64));
        }
        return sums;
    }

    String text() {
        return byName.entrySet().stream()
                .map(sum -> sum.getValue() + "  " + sum.getKey() + "\n")
                .collect(Collectors.joining());
    }

    /** The same content, whose checksum is known when it has been written. */
    AtomicFile.Content of(String name, AtomicFile.Content content) {
        return out -> {
            MessageDigest digest = Sha256.digest();
            OutputStream digested = new DigestOutputStream(out, digest);
            content.write(digested);
            digested.flush();
            byName.put(name, HexFormat.of().formatHex(digest.digest()));
        };
    }

    /** A stream that throws when it is closed where it does not have the checksum of this name. */
    InputStream verified(String name, InputStream in) {
        MessageDigest digest = Sha256.digest();
        return new Verified(name, new DigestInputStream(in, digest), () -> HexFormat.of()
                .formatHex(digest.digest())
                .equals(byName.get(name)));
    }

    /** Refuses a place that has lost a file. */
    void requireAll(Path place, Set<String> names) {
        Set<String> lost = new TreeSet<>(byName.keySet());
        lost.removeAll(names);
        if (!lost.isEmpty()) {
            throw new BadModelFile(place + " has no " + String.join(", ", lost));
        }
    }
}
