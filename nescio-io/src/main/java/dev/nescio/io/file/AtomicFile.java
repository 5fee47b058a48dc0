// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes a file whole or not at all: under a temporary name beside it, then moved. */
public final class AtomicFile {

    private AtomicFile() {}

    /** Writes the content. */
    @FunctionalInterface
    public interface Content {
        void write(OutputStream out) throws IOException;
    }

    public static void write(Path file, Content content) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new BadConfiguration(file + " is not a file that could be replaced");
        }
        Path folder = parent(file);
        Path temporary = null;
        try {
            Files.createDirectories(folder);
            temporary = temporaryBeside(file);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16)) {
                content.write(out);
            }
            move(temporary, file);
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput(file + " cannot be written: " + reason(e), e);
        } finally {
            deleteQuietly(temporary);
        }
    }

    public static void write(Path file, String text) {
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A name in the same folder that nobody uses; a plain file or folder made there gets the usual permissions. */
    static Path temporaryBeside(Path file) {
        return parent(file).resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".part");
    }

    static Path parent(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    /** Replaces what is there, in one step where the file system can. */
    public static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    public static String reason(Exception e) {
        return e instanceof FileSystemException f && f.getReason() == null
                ? f.getClass()
                        .getSimpleName()
                        .replace("Exception", "")
                        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                        .toLowerCase(Locale.ROOT)
                : String.valueOf(e.getMessage());
    }

    private static void deleteQuietly(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.getLogger(AtomicFile.class.getName()).log(System.Logger.Level.DEBUG, "left behind: " + file, e);
        }
    }
}
