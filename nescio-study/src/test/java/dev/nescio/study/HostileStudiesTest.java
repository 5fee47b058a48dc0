// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.model.network.Architectures;
import dev.nescio.problem.NescioException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged studies, settings, journals and stores give a clear error or a result. {@code -Dnescio.fuzz.cases=20000} tries more, {@code -Dnescio.fuzz.minutes} at most. */
class HostileStudiesTest {

    private static final int CASES = Integer.getInteger("nescio.fuzz.cases", 400);
    private static final int MINUTES = Integer.getInteger("nescio.fuzz.minutes", 60);

    @TempDir
    Path folder;

    @FunctionalInterface
    private interface Reader {
        Object read(byte[] bytes) throws IOException;
    }

    private static void damage(String what, byte[] bytes, int cases, Reader reader) {
        SplittableRandom random = new SplittableRandom(1);
        int[] refused = new int[1];
        int[] tried = new int[1];
        long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(MINUTES + 2L), () -> {
            for (int i = 0; i < cases && System.nanoTime() < end; i++) {
                tried[0]++;
                byte[] damaged =
                        random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
                for (int changes = 1 + random.nextInt(6); changes > 0 && damaged.length > 0; changes--) {
                    damaged[random.nextInt(damaged.length)] = switch (random.nextInt(3)) {
                        case 0 -> (byte) random.nextInt(256);
                        case 1 -> (byte) "&*!|>%@`{}[]:,-#\t\n \"'0129eN".charAt(random.nextInt(27));
                        default -> 0;
                    };
                }
                try {
                    reader.read(damaged);
                } catch (NescioException e) {
                    refused[0]++;
                    assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
                } catch (Throwable e) {
                    throw new AssertionError("case " + i + ": " + e, e);
                }
            }
        });
        System.out.printf(Locale.ROOT, "%s: %,d cases, %,d refused%n", what, tried[0], refused[0]);
        assertThat(refused[0]).isPositive();
    }

    @Test
    void studies() {
        for (String name : List.of("smoke", "extended")) {
            damage("study " + name, StudyFile.text(name).getBytes(StandardCharsets.UTF_8), CASES, bytes -> {
                Path file = Files.write(folder.resolve("study.yaml"), bytes);
                return StudyFile.read(file.toString());
            });
        }
    }

    @Test
    void settings() {
        String text = String.join("\n", Settings.tunedLines("cora_ml", "gprgnn"));
        damage("settings", text.getBytes(StandardCharsets.UTF_8), CASES, bytes -> {
            Path file = Files.write(folder.resolve("settings.args"), bytes);
            return Settings.read(Architectures.named("gprgnn"), file);
        });
    }

    @Test
    void journals() throws IOException {
        Path file = folder.resolve("journal.trials");
        TrialJournal journal = new TrialJournal(file);
        for (int i = 0; i < 20; i++) {
            journal.add("fingerprint 0 gcn model.dropout=0." + i, new TrialJournal.Trial(0.1 * i, 0.5, 3, 1.25));
        }
        // One wrong bit in a character: that line is lost, the others are not.
        byte[] flip = Files.readAllBytes(file);
        flip[flip.length / 2] |= (byte) 0x80;
        TrialJournal flipped = new TrialJournal(Files.write(folder.resolve("flipped.trials"), flip));
        int left = 0;
        for (int i = 0; i < 20; i++) {
            left += flipped.has("fingerprint 0 gcn model.dropout=0." + i) ? 1 : 0;
        }
        assertThat(left).isEqualTo(19);
        damage("journals", Files.readAllBytes(file), CASES, bytes -> {
            Path damaged = Files.write(folder.resolve("damaged.trials"), bytes);
            TrialJournal read = new TrialJournal(damaged);
            for (int i = 0; i < 20; i++) {
                TrialJournal.Trial trial = read.get("fingerprint 0 gcn model.dropout=0." + i);
                // Whatever is believed is what was written.
                assertThat(trial == null || trial.equals(new TrialJournal.Trial(0.1 * i, 0.5, 3, 1.25)))
                        .isTrue();
            }
            return read;
        });
    }

    @Test
    void stores() throws IOException {
        Path whole = folder.resolve("whole");
        Store store = Store.create(whole);
        store.describe("a", List.of(new Store.Statistic("a", "A", "num_classes", 0, 0, 2)));
        Path place = Files.createDirectories(folder.resolve("damaged"));
        damage("stores", Files.readAllBytes(whole.resolve("results.duckdb")), CASES / 10, bytes -> {
            Files.write(place.resolve("results.duckdb"), bytes);
            Files.deleteIfExists(place.resolve("results.duckdb.wal"));
            Store read = Store.open(place);
            return Map.of(read.rows(), read.statistics());
        });
    }

    /** A channel may take less than it is given. */
    @Test
    void aLineIsWrittenToItsEnd() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        TrialJournal.write(
                new WritableByteChannel() {
                    @Override
                    public int write(ByteBuffer bytes) {
                        written.write(bytes.get());
                        return 1;
                    }

                    @Override
                    public boolean isOpen() {
                        return true;
                    }

                    @Override
                    public void close() {}
                },
                ByteBuffer.wrap("a line".getBytes(StandardCharsets.UTF_8)));

        assertThat(written).hasToString("a line");
    }
}
