// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder for files that are needed while something is made; gone with all of them when it is closed. What a killed process has left is
 * gone at the next start, or the next process goes on from there: {@link #resumable}.
 */
public final class WorkFolder implements AutoCloseable {

    private static final String INPUTS = "inputs";

    private final Path path;
    private final @Nullable FolderLock lock;

    private WorkFolder(Path path, @Nullable FolderLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes a folder beside what is being made, on the same disk, and removes what killed processes have left there. */
    public static WorkFolder beside(Path target) {
        cleanUp(target);
        Path folder = Temporary.beside(name(target));
        try {
            return new WorkFolder(Files.createDirectories(folder), null);
        } catch (IOException e) {
            throw new BadInput(folder + " cannot be made: " + AtomicFile.reason(e), e);
        }
    }

    /**
     * Makes a folder for the moment, where the system keeps such, and removes what killed processes of this user have left there. Nobody else
     * can look into it.
     *
     * @param what it is for, a word
     */
    public static WorkFolder temporary(String what) throws IOException {
        return temporary(Path.of(System.getProperty("java.io.tmpdir")), what);
    }

    /**
     * The same in some other place.
     *
     * @param place a folder
     * @param what it is for, a word
     */
    public static WorkFolder temporary(Path place, String what) throws IOException {
        String user = System.getProperty("user.name", "").replaceAll("\\W", "_");
        Path target = place.resolve("nescio-" + user + "-" + what);
        cleanUp(target);
        boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mode = isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        return new WorkFolder(Files.createDirectory(Temporary.beside(name(target)), mode), null);
    }

    /**
     * The folder of a killed process that made the same from the same inputs, with the files that it had finished; an empty one where
     * there is none, or where it was made from others. While another process uses it, a folder that nobody goes on from. Folders within
     * it and files whose names begin with a dot are gone.
     *
     * @param inputs a fingerprint
     */
    public static WorkFolder resumable(Path target, String inputs) {
        cleanUp(target);
        Path folder = kept(target);
        FolderLock lock = FolderLock.take(folder);
        if (lock == null) {
            return beside(target);
        }
        boolean isSame = inputs.equals(text(folder.resolve(INPUTS)));
        try (Stream<Path> children = Files.list(folder)) {
            children.filter(child -> !child.endsWith(FolderLock.NAME))
                    .filter(child -> !isSame
                            || Files.isDirectory(child)
                            || child.getFileName().toString().startsWith("."))
                    .forEach(Temporary::delete);
        } catch (IOException e) {
            lock.close();
            throw new BadInput(folder + " cannot be read: " + AtomicFile.reason(e), e);
        }
        if (!isSame) {
            AtomicFile.write(folder.resolve(INPUTS), inputs);
        }
        return new WorkFolder(folder, lock);
    }

    /** Removes what a killed process has left to go on from, unless another process goes on from there right now. */
    public static void discard(Path target) {
        Path folder = kept(target);
        FolderLock lock = Files.isDirectory(folder) ? FolderLock.take(folder) : null;
        if (lock != null) {
            new WorkFolder(folder, lock).close();
        }
    }

    private static String text(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return "";
        }
    }

    private static Path kept(Path target) {
        return target.toAbsolutePath().resolveSibling("." + target.getFileName() + ".work");
    }

    /** Removes what killed processes have left beside something that they were making, but for what can be gone on from. */
    public static void cleanUp(Path target) {
        Temporary.cleanUp(target.toAbsolutePath());
        Temporary.cleanUp(name(target));
    }

    private static Path name(Path target) {
        return target.toAbsolutePath().resolveSibling(target.getFileName() + ".work");
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        Temporary.delete(path);
        if (lock != null) {
            lock.close();
        }
    }
}
