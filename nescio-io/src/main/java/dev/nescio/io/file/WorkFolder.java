// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder for files that are needed while something is made; gone with all of them when it is closed, after a kill at the next start. */
public final class WorkFolder implements AutoCloseable {

    private final Path path;

    private WorkFolder(Path path) {
        this.path = path;
    }

    /** Makes a folder beside what is being made, on the same disk, and removes what killed processes have left there. */
    public static WorkFolder beside(Path target) {
        cleanUp(target);
        Path folder = Temporary.beside(name(target));
        try {
            return new WorkFolder(Files.createDirectories(folder));
        } catch (IOException e) {
            throw new BadInput(folder + " cannot be made: " + AtomicFile.reason(e), e);
        }
    }

    /** Removes what killed processes have left beside something that they were making. */
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
    }
}
