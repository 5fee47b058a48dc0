// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every format in the registry promises. */
class TableFormatsTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("dev.nescio.io.table.TableFormats#all")
    void isFoundByItsEndingsAndRefusesWhatIsNotOfItsKind(TableFormat format) throws IOException {
        assertThat(format.name()).isNotBlank();
        assertThat(format.summary()).isNotBlank();
        for (String ending : format.endings()) {
            Path file = folder.resolve("nodes" + ending);
            assertThat(TableFormats.of(file)).isSameAs(format);
            assertThat(TableFormats.nameWithoutEnding("nodes" + ending)).isEqualTo("nodes");
            Files.writeString(file, "");
            assertThat(TableFormats.within(folder, "nodes")).isPresent();
            assertThatThrownBy(() -> {
                        try (TableReader table = format.open(file, Progress.NONE)) {
                            table.next();
                        }
                    })
                    .isInstanceOf(BadInput.class)
                    .hasMessageStartingWith(file.toString());
            Files.delete(file);
        }
    }

    @Test
    void otherFilesAreRefused() {
        assertThatThrownBy(() -> TableFormats.of(folder.resolve("nodes.xlsx")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageStartingWith(
                        folder.resolve("nodes.xlsx") + " is not a table: its name should end in .csv, ");
    }
}
