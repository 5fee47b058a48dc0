// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.option.Option;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuningTest {

    @TempDir
    Path folder;

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=200");

    private Tuning tuning(Path journal) {
        DetectorOptions base = DetectorOptions.defaults()
                .withArchitecture("fagcn")
                .with(DetectorOptions.HELD_OUT, 0.0)
                .with(TrainingOptions.EPOCHS, 20)
                .withPreprocessing(Preprocessing.of(true, Preprocessing.RowNorm.L1));
        Map<Option<?>, List<String>> grid = new LinkedHashMap<>();
        grid.put(ModelOptions.HIDDEN, List.of("8"));
        grid.put(TrainingOptions.LEARNING_RATE, List.of("0.01"));
        grid.put(ModelOptions.DROPOUT, List.of("0.2", "0.5"));
        grid.put(TrainingOptions.WEIGHT_DECAY, List.of("0", "1e-4"));
        return new Tuning(graph, List.of(graph.split("0"), graph.split("1")), base, grid, journal);
    }

    /** With another class left out, trials of the whole graph were taken for done. */
    @Test
    void trialsWithOtherClassesLeftOutAreOthers() {
        Path journal = folder.resolve("a.trials");
        DetectorOptions base = DetectorOptions.defaults()
                .withArchitecture("fagcn")
                .with(DetectorOptions.HELD_OUT, 0.0)
                .with(ModelOptions.HIDDEN, 4)
                .with(TrainingOptions.EPOCHS, 2)
                .withSeed(3);
        Map<Option<?>, List<String>> grid = Map.of(ModelOptions.DROPOUT, List.of("0.2"));
        Tuning whole = new Tuning(graph, List.of(graph.split("0")), base, grid, journal);
        whole.run(Progress.NONE);
        assertThat(whole.left()).isZero();
        Tuning without = new Tuning(graph, List.of(graph.split("0")), base.withLeftOut(Set.of(4)), grid, journal);
        assertThat(without.left()).isEqualTo(1);
        assertThat(whole.arguments("blocks", whole.result())).doesNotContain("seed");
    }

    /** Keys were the text of records: any new option made every journal stale. */
    @Test
    void aJournalOfFormatOneIsStillGood() throws IOException {
        Path journal = folder.resolve("fagcn.args.trials");
        try (InputStream in = TuningTest.class.getResourceAsStream("/format-1/fagcn.args.trials")) {
            Files.write(journal, in.readAllBytes());
        }
        Tuning tuning = tuning(journal);

        assertThat(tuning.trainings()).isEqualTo(8);
        assertThat(tuning.left()).isZero();
        assertThat(tuning.result().ranked()).hasSize(4);
        assertThat(tuning.result().best().validationAccuracy().mean()).isCloseTo(0.35, within(1e-9));
        assertThat(tuning.result().best().setting())
                .containsEntry("dropout", "0.2")
                .containsEntry("weight-decay", "0.0");
        List<String> lines = Files.readAllLines(journal);
        Files.write(journal, lines.subList(0, 7));
        tuning(journal).run(Progress.NONE);
        assertThat(Files.readAllLines(journal)).hasSize(9).first().isEqualTo("#nescio-trials 3");
        assertThat(tuning(journal).left()).isZero();
    }

    @Test
    void stoppedTuningResumesAndItsResultCanBeRead() throws IOException {
        Path journal = folder.resolve("new.trials");
        tuning(journal).run(Progress.NONE);
        List<String> lines = Files.readAllLines(journal);
        Files.writeString(journal, String.join("\n", lines.subList(0, 5)) + "\nhalf a li");
        Tuning resumed = tuning(journal);

        assertThat(resumed.left()).isEqualTo(4);
        resumed.run(Progress.NONE);
        // A journal only grows: what was cut off stays and is not taken for a trial.
        assertThat(Files.readAllLines(journal))
                .containsAll(lines)
                .contains("half a li")
                .hasSize(lines.size() + 1);
        assertThat(tuning(journal).left()).isZero();
        Tuning.Result result = resumed.result();
        Settings settings = Settings.parse(
                Settings.defaults(DetectorOptions.defaults()
                                .withArchitecture("fagcn")
                                .architecture())
                        .architecture(),
                resumed.arguments("blocks", result).lines().toList(),
                "fagcn.args");
        assertThat(settings.model().dropout())
                .isEqualTo(Double.parseDouble(result.best().setting().get("dropout")));
        assertThat(settings.training().epochs()).isEqualTo(20);
        assertThat(settings.preprocessing()).isEqualTo(Preprocessing.of(true, Preprocessing.RowNorm.L1));
        assertThat(result.best().validationLoss().mean()).isPositive();
    }

    /** Other machines have the same tuning, and no journal. */
    @Test
    void trainingsCanBeDoneElsewhere() throws IOException {
        Path local = folder.resolve("local.trials");
        tuning(local).run(Progress.NONE);
        Path journal = folder.resolve("here.trials");
        Tuning there = tuning(folder.resolve("there.trials"));
        Tuning here = tuning(journal);
        here.run(
                (keys, found) -> keys.subList(0, 3).forEach(key -> found.accept(key, there.runOne(key))),
                Progress.NONE);
        assertThat(here.left()).isEqualTo(5);
        Files.writeString(journal, "half a li", StandardOpenOption.APPEND);
        Tuning resumed = tuning(journal);
        long[] asked = {0};
        resumed.run(
                (keys, found) -> keys.forEach(key -> found.accept(key, there.runOne(key))),
                (done, all) -> asked[0] = all);
        assertThat(asked[0]).isEqualTo(5);
        assertThat(Files.readAllLines(journal)).contains("half a li").containsAll(Files.readAllLines(local));
        assertThat(resumed.result()).isEqualTo(tuning(local).result());
        assertThat(folder.resolve("there.trials")).doesNotExist();
        assertThatThrownBy(() -> there.runOne("another key"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(graph.name() + " or its options differ between machines: here is no trial 'another key'");
    }

    /** Two splits: the best by 1 point on each is the best; by 3 and -1 points it is tied, and the loss decides. */
    @Test
    void ofTiedSettingsTheLowestLossWins() throws IOException {
        Path journal = folder.resolve("tied.trials");
        tuning(journal).run(Progress.NONE);
        List<String> lines = Files.readAllLines(journal);
        String[][] outcomes = {
            {"0.63", "0.9"}, {"0.60", "0.8"}, // dropout 0.2, decay 0
            {"0.60", "0.5"}, {"0.61", "0.4"}, // dropout 0.2, decay 1e-4: tied with the first
            {"0.50", "0.1"}, {"0.50", "0.1"}, // worse on both
            {"0.62", "0.7"}, {"0.59", "0.6"} // worse by the same on both: not tied
        };
        StringBuilder text = new StringBuilder("#nescio-trials 2\n");
        for (String line : lines.subList(1, lines.size())) {
            String key = line.split("\t")[0];
            int setting = (key.contains("dropout=0.2") ? 0 : 2) + (key.contains("weight-decay=0.0") ? 0 : 1);
            int split = key.contains(" 0 fagcn ") ? 0 : 1;
            String[] outcome = outcomes[2 * setting + split];
            text.append(String.join("\t", key, outcome[0], "0.5", "20", outcome[1]))
                    .append("\n");
        }
        Files.writeString(journal, text);
        Tuning.Result result = tuning(journal).result();

        assertThat(result.tied()).isEqualTo(2);
        assertThat(result.best().setting()).containsEntry("dropout", "0.2").containsEntry("weight-decay", "1.0E-4");
        assertThat(result.ranked().get(0).setting()).containsEntry("weight-decay", "0.0");
    }

    @Test
    void damagedAndNewerJournalsAreRefused() throws IOException {
        Path journal = folder.resolve("bad.trials");
        Files.writeString(journal, "#nescio-trials 4\n");
        assertThatThrownBy(() -> tuning(journal))
                .isInstanceOf(BadInput.class)
                .hasMessage(journal + " was written in format 4; this version of Nescio reads formats 1 to 3");
        Files.writeString(journal, "#nescio-trials 2\nkey\t0.5\n");
        assertThatThrownBy(() -> tuning(journal))
                .hasMessage(journal + ", line 2: expected four or five columns, got 'key\t0.5'");
        Files.writeString(journal, "#nescio-trials 2\nkey\t0.5\tx\t3\t4\n");
        assertThatThrownBy(() -> tuning(journal)).hasMessageContaining("not a number");
    }
}
