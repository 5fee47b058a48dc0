// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.problem.NescioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One bit of a store is wrong: it is refused, or it says what it said before. {@code -Dnescio.flips=1000} flips so many. */
class StoreFlipsTest {

    private static final int FLIPS = Integer.getInteger("nescio.flips", 40);

    @TempDir
    Path folder;

    @Test
    void noFlippedBitChangesAResult() throws IOException {
        Path whole = folder.resolve("whole");
        List<Store.Statistic> statistics = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            statistics.add(new Store.Statistic("a", "data" + i, "num_classes", 0, i, 1.5 * i));
        }
        Store store = Store.create(whole);
        store.describe("a", statistics);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(StoreTest.row("jlde:k=" + (i + 1), 0.5 + i / 1000.0));
        }
        store.add(rows, List.of(new Store.Bin(rows.get(0).cell(), 3, 7, 0.5)));
        byte[] bytes = Files.readAllBytes(whole.resolve("results.duckdb"));
        List<String> expected = read(whole);
        assertThat(expected).hasSize(301);
        Path place = Files.createDirectories(folder.resolve("damaged"));
        SplittableRandom random = new SplittableRandom(3);
        int refused = 0;
        for (int i = 0; i < FLIPS; i++) {
            byte[] damaged = bytes.clone();
            // Half of them where the file begins, which says where everything else is.
            int at = random.nextInt(i % 2 == 0 ? Math.min(bytes.length, 3 * 4096) : bytes.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(place.resolve("results.duckdb"), damaged);
            Files.deleteIfExists(place.resolve("results.duckdb.wal"));
            try {
                assertThat(read(place)).as("byte " + at).isEqualTo(expected);
            } catch (NescioException e) {
                refused++;
            }
        }
        System.out.println(
                "stores: " + FLIPS + " bits flipped, " + refused + " refused, the others made no difference");
        assertThat(refused).isPositive();
    }

    /** A line that is damaged is left out, and its trial is run again. */
    @Test
    void noFlippedBitChangesATrial() throws IOException {
        Path file = folder.resolve("whole.trials");
        TrialJournal journal = new TrialJournal(file);
        Map<String, TrialJournal.Trial> written = new LinkedHashMap<>();
        for (int i = 0; i < 40; i++) {
            TrialJournal.Trial trial = new TrialJournal.Trial(0.01 * i, 0.5, i, 1.25);
            written.put("fingerprint 0 gcn model.dropout=0." + i, trial);
            journal.add("fingerprint 0 gcn model.dropout=0." + i, trial);
        }
        byte[] bytes = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(4);
        int refused = 0;
        int without = 0;
        for (int i = 0; i < FLIPS; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Path place = Files.write(folder.resolve("damaged.trials"), damaged);
            try {
                TrialJournal read = new TrialJournal(place);
                int there = 0;
                for (Map.Entry<String, TrialJournal.Trial> each : written.entrySet()) {
                    TrialJournal.Trial trial = read.get(each.getKey());
                    assertThat(trial).isIn(null, each.getValue());
                    there += trial == null ? 0 : 1;
                }
                without += there < written.size() ? 1 : 0;
            } catch (NescioException e) {
                refused++;
            }
        }
        System.out.println("journals of tune: " + FLIPS + " bits flipped, " + refused + " refused, " + without
                + " read without the damaged line");
        assertThat(refused + without).isGreaterThan(FLIPS * 9 / 10);
    }

    private static List<String> read(Path place) {
        Store store = Store.open(place);
        return Stream.of(store.statistics(), store.rows(), store.bins())
                .flatMap(List::stream)
                .map(String::valueOf)
                .sorted()
                .toList();
    }
}
