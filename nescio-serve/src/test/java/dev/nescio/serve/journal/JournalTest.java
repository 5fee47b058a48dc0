// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    private static final int FLIPS = Integer.getInteger("nescio.flips", 300);

    @TempDir
    Path folder;

    private byte[] whole;

    @BeforeEach
    void write() throws IOException {
        try (Journal journal = Journal.open(folder, Disk.REAL)) {
            journal.append(List.of(text("{\"first\":1}"), text("{\"second\":2}")));
            journal.append(List.of(text("{\"third\":\"" + "x".repeat(2000) + "\"}")));
        }
        whole = Files.readAllBytes(file());
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Path file() {
        return folder.resolve("journal");
    }

    private List<String> records() {
        try (Journal journal = Journal.open(folder, Disk.REAL)) {
            return journal.takeFound().stream()
                    .map(record -> new String(record, StandardCharsets.UTF_8))
                    .toList();
        }
    }

    /** The last frame, too: a bit that is wrong is no write that was cut off. */
    @Test
    void everyFlippedBitIsRefusedAndTheFileIsLeftAlone() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < FLIPS; i++) {
            byte[] damaged = whole.clone();
            int place = random.nextInt(whole.length);
            damaged[place] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), damaged);
            assertThatThrownBy(this::records).as("byte " + place).isInstanceOf(BadInput.class);
            assertThat(Files.readAllBytes(file())).isEqualTo(damaged);
        }
    }

    @Test
    void whatAKillHasCutOffIsRemovedWhereverItWasCut() throws IOException {
        for (int length = 0; length < whole.length; length += length < 80 ? 1 : 97) {
            Files.write(file(), Arrays.copyOf(whole, length));
            assertThat(records()).as("the first " + length + " bytes").hasSizeLessThan(3);
        }
        Files.write(file(), whole);
        assertThat(records()).hasSize(3);
    }

    /** After a power cut the file may be as long as it should be, with sectors of zeros. */
    @Test
    void sectorsThatNeverReachedTheDiskAreRemoved() throws IOException {
        byte[] middle = whole.clone();
        Arrays.fill(middle, whole.length - 1500, whole.length - 700, (byte) 0);
        Files.write(file(), middle);
        assertThat(records()).hasSize(2);
        byte[] end = whole.clone();
        Arrays.fill(end, whole.length - 100, whole.length, (byte) 0);
        Files.write(file(), end);
        assertThat(records()).hasSize(2);
    }

    @Test
    void aSmallFileOfSomebodyElseIsLeftAlone() throws IOException {
        Files.writeString(file(), "notes");
        assertThatThrownBy(this::records)
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith("is not the journal of a service; it is left alone");
        assertThat(file()).hasContent("notes");
    }
}
