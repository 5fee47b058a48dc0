// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Several named files in one place: a directory, or one zip file where the name ends in zip or nescio. Written whole or not at all, with
 * the checksum of every file in {@value #SUMS}, as {@code sha256sum --check} reads them. Where there are checksums, a file that is
 * damaged or missing is refused, and so is one that is not listed as soon as it is read.
 */
public abstract class Container implements AutoCloseable {

    /** The name of the file that holds the checksums of all others. */
    public static final String SUMS = "SHA256SUMS";

    private static final long LONGEST_SUMS = 1 << 20;
    /** Of replacing a folder that others read. */
    private static final int TRIES = 100;

    private final Path place;
    private @Nullable Checksums sums;

    private Container(Path place) {
        this.place = place;
    }

    /** The directory or the zip file. */
    public Path place() {
        return place;
    }

    /** The names of all files, {@link #SUMS} among them where there is one. */
    public abstract Set<String> names() throws IOException;

    /** A file, and an upper bound of its bytes that no header in it can exceed. */
    abstract Entry raw(String name) throws IOException;

    /** The same, checked when it is closed: it throws where the bytes are not those that were written. */
    public Entry open(String name) throws IOException {
        Entry entry = raw(name);
        return sums == null ? entry : new Entry(sums.verified(name, entry.in), entry.mostBytes);
    }

    /** Whether every file has a checksum. */
    public boolean hasChecksums() {
        return sums != null;
    }

    @Override
    public abstract void close() throws IOException;

    /**
     * A file that was opened.
     *
     * @param in its bytes; whoever opened it closes it, which also checks it
     * @param mostBytes an upper bound of their number
     */
    public record Entry(InputStream in, long mostBytes) {}

    /** Opens what is there. */
    public static Container open(Path place) throws IOException {
        Container container = Files.isDirectory(place) ? new Folder(place) : new Zip(place);
        try {
            container.readSums();
            return container;
        } catch (IOException | RuntimeException e) {
            container.close();
            throw e;
        }
    }

    private void readSums() throws IOException {
        Set<String> names = names();
        if (!names.contains(SUMS)) {
            return;
        }
        try (InputStream in = raw(SUMS).in) {
            sums = Checksums.parse(new String(in.readNBytes((int) LONGEST_SUMS), StandardCharsets.UTF_8));
        }
        sums.requireAll(place, names);
    }

    /** Whether a name stands for a zip file: it ends in {@code .zip} or {@code .nescio}. What is there does not matter. */
    public static boolean isZip(Path place) {
        return place.toString().endsWith(".zip") || place.toString().endsWith(".nescio");
    }

    private static final class Folder extends Container {

        Folder(Path place) {
            super(place);
        }

        @Override
        public Set<String> names() throws IOException {
            try (Stream<Path> children = Files.list(place())) {
                return children.map(child -> child.getFileName().toString()).collect(Collectors.toSet());
            }
        }

        @Override
        Entry raw(String name) throws IOException {
            Path file = place().resolve(name);
            if (!Files.isRegularFile(file)) {
                throw new BadModelFile(place() + " has no " + name);
            }
            return new Entry(Files.newInputStream(file), Files.size(file));
        }

        @Override
        public void close() {}
    }

    private static final class Zip extends Container {

        private final ZipFile zip;

        Zip(Path place) throws IOException {
            super(place);
            this.zip = new ZipFile(place.toFile());
        }

        @Override
        public Set<String> names() {
            return zip.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        }

        @Override
        Entry raw(String name) throws IOException {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                throw new BadModelFile(place() + " has no " + name);
            }
            return new Entry(Zips.open(zip, entry), Zips.mostBytes(entry, place()));
        }

        @Override
        public void close() throws IOException {
            zip.close();
        }
    }

    /** Writes under a temporary name and moves; what was there before is replaced in one step or stays. A link is followed. */
    public static void write(Path named, Map<String, AtomicFile.Content> files) {
        if (isZip(named)) {
            AtomicFile.write(named, out -> zip(files, out));
            return;
        }
        Path target = AtomicFile.target(named);
        recover(target);
        Temporary.cleanUp(target);
        Path temporary = Temporary.beside(target.toAbsolutePath());
        try {
            CrashPoint.pass();
            Files.createDirectories(temporary);
            Checksums written = new Checksums();
            for (Map.Entry<String, AtomicFile.Content> file : files.entrySet()) {
                AtomicFile.write(temporary.resolve(file.getKey()), written.of(file.getKey(), file.getValue()));
            }
            AtomicFile.write(temporary.resolve(SUMS), written.text());
            replace(target, temporary, CrashPoint::pass);
        } catch (IOException e) {
            throw new BadInput(target + " cannot be written: " + AtomicFile.reason(e), e);
        } finally {
            Temporary.delete(temporary);
        }
    }

    private static void zip(Map<String, AtomicFile.Content> files, OutputStream out) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        Checksums written = new Checksums();
        for (Map.Entry<String, AtomicFile.Content> file : files.entrySet()) {
            Zips.add(zip, file.getKey(), written.of(file.getKey(), file.getValue()));
        }
        byte[] text = written.text().getBytes(StandardCharsets.UTF_8);
        Zips.add(zip, SUMS, sums -> sums.write(text));
        zip.finish();
    }

    /**
     * A folder cannot be replaced in one step. In between, the older one waits under a name at which {@link #recover} looks: somebody who
     * reads at that moment puts it back, and it is set aside once more.
     *
     * @param between is run at that moment
     */
    static void replace(Path target, Path fresh, Runnable between) throws IOException {
        Path previous = previous(target);
        for (int tries = 1; ; tries++) {
            if (Files.exists(target)) {
                Temporary.delete(previous);
                CrashPoint.pass();
                AtomicFile.move(target, previous);
            }
            between.run();
            try {
                AtomicFile.move(fresh, target);
                break;
            } catch (IOException e) {
                if (tries == TRIES || !Files.exists(target)) {
                    recover(target);
                    throw e;
                }
            }
        }
        CrashPoint.pass();
        Temporary.delete(previous);
    }

    private static Path previous(Path target) {
        return target.resolveSibling("." + target.getFileName() + ".previous");
    }

    /** Puts a folder back that was about to be replaced when the program was stopped. */
    public static void recover(Path named) {
        Path target = AtomicFile.target(named);
        Path previous = previous(target);
        if (Files.exists(target) || !Files.isDirectory(previous)) {
            return;
        }
        try {
            AtomicFile.move(previous, target);
        } catch (IOException e) {
            // Whoever was about to replace it may have done so, and somebody else may have put it back.
            if (!Files.exists(target)) {
                throw new BadInput(previous + " cannot be moved back to " + target + ": " + AtomicFile.reason(e), e);
            }
        }
    }
}
