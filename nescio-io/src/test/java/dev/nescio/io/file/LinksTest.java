// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
