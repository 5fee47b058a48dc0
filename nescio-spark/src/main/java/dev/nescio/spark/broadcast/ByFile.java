// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import dev.nescio.io.file.WorkFolder;
import dev.nescio.problem.BadConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/** What is written to files and read from files, as bytes. */
final class ByFile {

    /** What an array, and so a broadcast, can hold. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

    private ByFile() {}

    /** @param remedy what helps where this is too large to be sent */
    static byte[] bytes(Consumer<Path> write, String remedy) {
        return inFolder(place -> {
            write.accept(place);
            if (Files.size(place) > MOST_BYTES) {
                throw new BadConfiguration(String.format(
                        Locale.ROOT,
                        "the detector takes %,d MiB, and at most 2,047 can be sent to a machine at a time; %s",
                        Files.size(place) >> 20,
                        remedy));
            }
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
