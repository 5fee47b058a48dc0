// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
    void aFolderIsReplacedWhileOthersPutTheOlderOneBack() throws Exception {
        Path place = folder.resolve("model");
        AtomicBoolean isOver = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            while (!isOver.get()) {
                Container.recover(place);
            }
        });
        reader.start();
        try {
            for (int i = 0; i < 300; i++) {
                String text = "version " + i;
                Container.write(place, Map.of("a", out -> out.write(text.getBytes(StandardCharsets.UTF_8))));
                assertThat(place.resolve("a")).hasContent(text);
            }
        } finally {
            isOver.set(true);
            reader.join();
        }
    }
}
