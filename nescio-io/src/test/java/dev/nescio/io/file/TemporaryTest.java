// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryTest {

    @TempDir
    Path folder;

    private Path part(long process, Instant written) throws IOException {
        Path part = Files.createFile(folder.resolve(".a.csv." + process + "-0123abcd.part"));
        Files.setLastModifiedTime(part, FileTime.from(written));
        return part;
    }

    /** In a container, each process in turn is number 1. */
    @Test
    void whatAnEarlierProcessOfOurNumberHasLeftIsRemoved() throws IOException {
        Instant start = ProcessHandle.current().info().startInstant().orElseThrow();
        Path left = part(ProcessHandle.current().pid(), start.minus(Duration.ofHours(1)));

        AtomicFile.write(folder.resolve("a.csv"), "text");

        assertThat(left).doesNotExist();
        assertThat(folder.resolve("a.csv")).hasContent("text");
    }

    @Test
    void whatThisProcessAndOtherLivingOnesWriteStays() throws IOException {
        Path own = part(ProcessHandle.current().pid(), Instant.now());
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        Path other = part(parent, Instant.now().minus(Duration.ofHours(1)));

        AtomicFile.write(folder.resolve("a.csv"), "text");

        assertThat(own).exists();
        assertThat(other).exists();
    }

    @Test
    void aFolderForTheMomentIsPrivateAndWhatKilledProcessesHaveLeftGoes() throws IOException {
        Path left;
        try (WorkFolder first = WorkFolder.temporary("test-left")) {
            String name = first.path().getFileName().toString();
            // No process has such a number.
            left = first.path().resolveSibling(name.replaceAll("\\d+-(?=[0-9a-f]{8}\\.part)", "4194400-"));
        }
        Files.createDirectory(left);
        Files.writeString(left.resolve("detector.nescio"), "secret");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
        Temporary.forget();

        Path place;
        try (WorkFolder work = WorkFolder.temporary("test-left")) {
            place = work.path();
            assertThat(left).doesNotExist();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                    .isEqualTo("rwx------");
        }
        assertThat(place).doesNotExist();
    }
}
