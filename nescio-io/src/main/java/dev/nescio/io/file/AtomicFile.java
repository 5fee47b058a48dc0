// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Writes a file whole or not at all: under a temporary name beside it, then moved. */
public final class AtomicFile {

    private static final int MOST_LINKS = 40;

    private AtomicFile() {}

    /** Writes the content. */
    @FunctionalInterface
    public interface Content {
        /** Writes everything to the stream and leaves it open; if it throws, the old file stays. */
        void write(OutputStream out) throws IOException;
    }

    /** Makes something under a name. */
    @FunctionalInterface
    public interface Maker {
        /** Makes a file at this place, where there is none yet; if it throws, the old file stays. */
        void make(Path place) throws IOException;
    }

    /**
     * Writes a file through a stream; it takes its name after all bytes are on the disk. Missing folders are made, and a link is
     * followed. Refuses a target that is not a regular file.
     */
    public static void write(Path file, Content content) {
        make(file, temporary -> {
            try (FileChannel channel =
                            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
                content.write(out);
                out.flush();
                CrashPoint.pass();
                channel.force(true);
            }
        });
    }

    /** Lets somebody make a file under a temporary name, then moves it; what was there before is replaced in one step or stays. */
    public static void make(Path named, Maker maker) {
        // A link stays a link: what it points to is replaced.
        Path file = target(named);
        requireFile(file);
        Path temporary = Temporary.beside(file.toAbsolutePath());
        try {
            Files.createDirectories(parent(file));
            Temporary.cleanUp(file);
            CrashPoint.pass();
            maker.make(temporary);
            CrashPoint.pass();
            move(temporary, file);
            CrashPoint.pass();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput(file + " cannot be written: " + reason(e), e);
        } finally {
            Temporary.delete(temporary);
            // A database that failed leaves its log of changes.
            Temporary.delete(temporary.resolveSibling(temporary.getFileName() + ".wal"));
        }
    }

    private static void requireFile(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new BadConfiguration(file + " is not a file that could be replaced");
        }
    }

    /** Refuses what is there and is no file, and {@linkplain #requireWritable a place where nothing can be written}. */
    public static void requireReplaceable(Path named) {
        requireFile(target(named));
        requireWritable(named);
    }

    /** Refuses a place where nothing can be written, before a long computation whose result would be lost. Nothing stays there. */
    public static void requireWritable(Path named) {
        Path file = target(named).toAbsolutePath();
        Path folder = parent(file);
        while (!Files.exists(folder) && folder.getParent() != null) {
            folder = folder.getParent();
        }
        if (!Files.isDirectory(folder)) {
            throw new BadInput(named + " cannot be written: " + folder.getFileName() + " is not a folder");
        }
        Path probe = Temporary.beside(folder.resolve("nescio"));
        try {
            Files.createFile(probe);
        } catch (IOException e) {
            throw new BadInput(named + " cannot be written: " + reason(e), e);
        } finally {
            Temporary.delete(probe);
        }
    }

    /** Deletes a file that may be there, and what killed processes have left beside it. */
    public static void delete(Path file) {
        Temporary.cleanUp(file);
        Temporary.delete(file);
    }

    /** What a link leads to, also where that is not there yet. */
    static Path target(Path file) {
        Path target = file;
        try {
            for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(target); links++) {
                target = target.resolveSibling(Files.readSymbolicLink(target));
            }
            return target;
        } catch (IOException e) {
            return file;
        }
    }

    /** Writes a text in UTF-8, whole or not at all; an older file of this name is replaced. */
    public static void write(Path file, String text) {
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
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

    /** Why a file could not be read or written, in words: {@code no such file} where the exception itself does not say. */
    public static String reason(Exception e) {
        if (e instanceof EOFException && e.getMessage() == null) {
            return "it ends too early";
        }
        return e instanceof FileSystemException f && f.getReason() == null
                ? f.getClass()
                        .getSimpleName()
                        .replace("Exception", "")
                        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                        .toLowerCase(Locale.ROOT)
                : String.valueOf(e.getMessage());
    }
}
