// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ByFileTest {

    /** A file of that size that takes no room on disk. */
    private static void write(Path place, long bytes) {
        try (RandomAccessFile file = new RandomAccessFile(place.toFile(), "rw")) {
            file.setLength(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatNoArrayHoldsIsRefused() {
        assertThatThrownBy(() -> ByFile.bytes(place -> write(place, 3L << 30), "shards help"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("the detector takes 3,072 MiB, and at most 2,047 can be sent to a machine at a time;"
                        + " shards help");
        assertThat(ByFile.bytes(place -> write(place, 5), "")).hasSize(5);
    }
}
