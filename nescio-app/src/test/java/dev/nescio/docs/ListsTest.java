// SPDX-License-Identifier: Apache-2.0
package dev.nescio.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.cli.output.Registries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/lists.md shows what the registries hold; run with {@code -Dnescio.docs=write} it is written anew. */
class ListsTest {

    private static final Path PAGE = Path.of("..", "docs", "lists.md");

    private static String page() {
        return "# Everything that can be named\n\nThis page is made from the registries; `./nescio list` prints the same.\n"
                + Registries.all().entrySet().stream()
                        .map(list -> "\n## "
                                + Character.toUpperCase(list.getKey().charAt(0))
                                + list.getKey().substring(1)
                                + "\n\n| name | what it is |\n|---|---|\n"
                                + list.getValue().stream()
                                        .map(entry -> "| `" + entry.name() + "` | " + entry.summary() + " |\n")
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining());
    }

    @Test
    void thePageShowsWhatIsThere() throws IOException {
        if (System.getProperty("nescio.docs", "").equals("write")) {
            Files.writeString(PAGE, page());
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page());
    }
}
