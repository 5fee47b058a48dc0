// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who names a link means what it leads to. */
class LinksTest {

    @TempDir
    Path folder;

    @Test
    void whatALinkLeadsToIsWrittenWhetherItIsThereOrNot() throws IOException {
        Files.createDirectory(folder.resolve("elsewhere"));
        Path real = folder.resolve("elsewhere/real.csv");
        Path link = Files.createSymbolicLink(folder.resolve("link.csv"), Path.of("second.csv"));
        Path second = Files.createSymbolicLink(folder.resolve("second.csv"), Path.of("elsewhere/real.csv"));
        for (String text : new String[] {"first", "again"}) {
            AtomicFile.write(link, text);
            assertThat(real).hasContent(text);
            assertThat(link).isSymbolicLink();
            assertThat(second).isSymbolicLink();
        }
    }

    @Test
    void aFolderThatALinkLeadsToIsReplaced() throws IOException {
        Path real = folder.resolve("real");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("real"));
        for (String text : new String[] {"first", "again"}) {
            Container.write(link, Map.of("a", out -> out.write(text.getBytes(StandardCharsets.UTF_8))));
            assertThat(real.resolve("a")).hasContent(text);
            assertThat(link).isSymbolicLink();
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(real, link);
        }
    }

    /** Whoever reads between the two moves puts the older folder back; the new one must take its place all the same. */
    @Test
    void aFolderIsReplacedWhileOthersPutTheOlderOneBack() throws IOException {
        Path place = folder.resolve("model");
        Container.write(place, Map.of("a", out -> out.write("old".getBytes(StandardCharsets.UTF_8))));
        Path fresh = Files.createDirectory(folder.resolve("fresh"));
        Files.writeString(fresh.resolve("a"), "new");
        int[] times = {0};

        Container.replace(place, fresh, () -> {
            if (times[0]++ < 3) {
                Container.recover(place);
                assertThat(place.resolve("a")).hasContent("old");
            }
        });

        assertThat(times[0]).isEqualTo(4);
        assertThat(place.resolve("a")).hasContent("new");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(place);
        }
    }
}
