// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Zips;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadInput;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A NumPy archive: npy arrays by name in a zip. Every problem is reported with the file and the key. */
public final class Npz implements AutoCloseable {

    private final Path file;
    private final ZipFile zip;

    private Npz(Path file, ZipFile zip) {
        this.file = file;
        this.zip = zip;
    }

    /**
     * Opens an archive; its arrays are read when they are asked for. Refuses a file that is missing, no zip, or cut off.
     *
     * <pre>{@code
     * try (Npz npz = Npz.open(Path.of("embeddings.npz"))) {
     *     NdArray.Floats states = npz.floats("states");
     * }
     * }</pre>
     */
    public static Npz open(Path file) {
        if (!Files.exists(file)) {
            throw new BadInput(file + " does not exist");
        }
        if (Files.isDirectory(file)) {
            throw new BadInput(file + " is a directory, expected an npz file");
        }
        try {
            return new Npz(file, new ZipFile(file.toFile()));
        } catch (ZipException e) {
            throw new BadInput(file + " is not an npz file or is cut off: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    /** The names of all arrays, without the ending {@code .npy}. */
    public Set<String> keys() {
        return zip.stream()
                .map(entry -> entry.getName().replaceFirst("\\.npy$", ""))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether there is an array of this name, given without the ending {@code .npy}. */
    public boolean has(String key) {
        return zip.getEntry(key + ".npy") != null;
    }

    /**
     * An array of numbers as 32-bit floats; whole numbers and booleans are converted. Refuses a missing name, text and objects.
     */
    public NdArray.Floats floats(String key) {
        return read(key, NpyReader::floats);
    }

    /**
     * An array of numbers as 64-bit floats; whole numbers and booleans are converted. Refuses a missing name, text and objects.
     */
    public NdArray.Doubles doubles(String key) {
        return read(key, NpyReader::doubles);
    }

    /** An array of whole numbers, or booleans as 0 and 1. Refuses a missing name, fractions, and numbers beyond 32 bits. */
    public NdArray.Ints ints(String key) {
        return read(key, NpyReader::ints);
    }

    /** An array of booleans; refuses a missing name, and arrays of any other type. */
    public NdArray.Booleans booleans(String key) {
        return read(key, NpyReader::booleans);
    }

    /**
     * An array of text, element by element in row-major order, without blanks at the ends. Refuses a missing name, and arrays of
     * any other type.
     */
    public List<String> strings(String key) {
        return read(key, NpyReader::strings);
    }

    /** Whether an array holds pickled objects, which are never read. */
    public boolean isObject(String key) {
        return read(key, NpyReader::isObject);
    }

    /** Where a value stands, for messages. */
    public String place(String key) {
        return file + ": '" + Nearest.shortened(key) + "'";
    }

    @FunctionalInterface
    private interface Body<T> {
        T read(NpyReader reader) throws IOException;
    }

    private <T> T read(String key, Body<T> body) {
        ZipEntry entry = zip.getEntry(key + ".npy");
        if (entry == null) {
            throw new BadInput(file + " has no array '" + key + "'");
        }
        try (InputStream in = new BufferedInputStream(Zips.open(zip, entry), 1 << 16)) {
            return body.read(new NpyReader(in, place(key), Zips.mostBytes(entry, file)));
        } catch (EOFException e) {
            throw new BadInput(place(key) + " is cut off", e);
        } catch (IOException e) {
            throw new BadInput(place(key) + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new BadInput(file + " cannot be closed: " + e.getMessage(), e);
        }
    }
}
