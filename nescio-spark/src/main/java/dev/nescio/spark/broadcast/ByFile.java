// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import dev.nescio.io.file.WorkFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/** What is written to files and read from files, as bytes. */
final class ByFile {

    private ByFile() {}

    static byte[] bytes(Consumer<Path> write) {
        return inFolder(place -> {
            write.accept(place);
            return Files.readAllBytes(place);
        });
    }

    static <T> T read(byte[] bytes, Function<Path, T> read) {
        return inFolder(place -> {
            Files.write(place, bytes);
            return read.apply(place);
        });
    }

    @FunctionalInterface
    private interface Body<T> {
        T apply(Path place) throws IOException;
    }

    private static <T> T inFolder(Body<T> body) {
        try (WorkFolder work = WorkFolder.temporary("spark")) {
            return body.apply(work.path().resolve("shared.nescio"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
