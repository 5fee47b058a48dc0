// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonLinesFormatTest {

    @TempDir
    Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("nodes.jsonl"), text);
    }

    @Test
    void keysAreColumnsAndWhatIsNotThereIsMissing() throws IOException {
        Path file = file("""
                {"id": "a", "age": 31, "vip": true}

                {"id": "b'\\"ö", "size": 1700000000.5, "vector": [1, 2.5], "age": null}
                """);
        try (TableReader table = TableFormats.open(file, Progress.NONE)) {
            assertThat(table.columns()).containsExactly("id", "age", "vip", "size", "vector");
            assertThat(table.next()).isTrue();
            assertThat(table.text(0)).isEqualTo("a");
            assertThat(table.number(1)).isEqualTo(31);
            assertThat(table.text(2)).isEqualTo("true");
            assertThat(table.number(3)).isNaN();
            assertThat(table.next()).isTrue();
            assertThat(table.text(0)).isEqualTo("b'\"ö");
            assertThat(table.number(1)).isNaN();
            assertThat(table.number(3)).isEqualTo(1700000000.5);
            assertThat(table.text(4)).isEqualTo("[1,2.5]");
            assertThat(table.place(table.row())).isEqualTo("line 3");
            assertThat(table.next()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"id\": 1}\\n{\"id\": ; line 2 is not JSON: ",
                "[1, 2]; line 1 is not a JSON object",
                "{\"id\": {\"a\": 1}}; line 1: 'id' is an object, but a table holds numbers, texts and lists of numbers"
            })
    void whatIsWrongIsSaid(String text, String message) throws IOException {
        Path file = file(text.replace("\\n", "\n"));
        assertThatThrownBy(() -> {
                    try (TableReader table = TableFormats.open(file, Progress.NONE)) {
                        while (table.next()) {
                            table.text(0);
                        }
                    }
                })
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(file + ", " + message)
                .hasMessageNotContaining("Source");
    }
}
