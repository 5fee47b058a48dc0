// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Preprocessing;
import dev.nescio.io.data.DataSets;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {

    @Test
    void readsWhatTuningWrites() {
        Settings settings = Settings.parse(
                Architectures.named("gprgnn"),
                List.of(
                        "# made up",
                        "--binary",
                        "--normalise l2",
                        "--model gprgnn",
                        "--hidden 512",
                        "--dropout 0.2",
                        "--learning-rate 0.01",
                        "--weight-decay 0.0",
                        "--layers 3",
                        "--multiplier 2",
                        "--patience 50",
                        "--epochs 700",
                        "--stopping loss",
                        "--choose hops=5"),
                "made.args");

        assertThat(settings)
                .isEqualTo(new Settings(
                        Architectures.named("gprgnn"),
                        ModelOptions.of(512, 3, 0.2, 2)
                                .in(Architectures.named("gprgnn").options(), Map.of("hops", "5")),
                        TrainingOptions.of(0.01, 0, 700, 50, 0)
                                .with(TrainingOptions.STOPPING, TrainingOptions.Stopping.LOSS),
                        Preprocessing.of(true, Preprocessing.RowNorm.L2)));
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThatThrownBy(() -> parse("--hidden many"))
                .isInstanceOf(BadInput.class)
                .hasMessage("made.args, line 1: hidden must be a whole number from 1 to 65536, got 'many'");
        assertThatThrownBy(() -> parse("", "--choose hops"))
                .hasMessage("made.args, line 2: expected NAME=VALUE, got 'hops'");
    }

    /** The last of two lines won, whichever was meant. */
    @Test
    void aSettingThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> parse("--hidden 8", "", "--hidden 16"))
                .isInstanceOf(BadInput.class)
                .hasMessage("made.args, line 3: 'hidden' is set for the second time");
        assertThatThrownBy(() -> parse("--choose hops=5", "--choose hops=5"))
                .hasMessage("made.args, line 2: 'hops' is set for the second time");
    }

    @Test
    void aFileThatIsNotUtf8IsRefusedWithItsLine(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("latin.args"), new byte[] {'#', '\n', '#', (byte) 0xe9, '\n'});

        assertThatThrownBy(() -> Settings.read(Architectures.named("gprgnn"), file))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(file + ", line 2: it is not text in UTF-8");
        assertThatThrownBy(() -> StudyFile.read(file.toString()))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(file + ", line 2: it is not text in UTF-8");
    }

    /** Misspelt and unknown lines were ignored. */
    @Test
    void unknownLinesAreRefused() {
        assertThatThrownBy(() -> parse("--normalise l1", "--learning-rat 0.1"))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(
                        "made.args, line 2: there is no setting 'learning-rat'; did you mean 'learning-rate'? There are model,");
        assertThatThrownBy(() -> parse("--model gcn"))
                .hasMessage("made.args, line 1: these are settings of gcn, not of gprgnn");
        assertThatThrownBy(() -> parse("--choose heads=8")).hasMessageContaining("there is no setting 'heads'");
    }

    /** It was dropped where --normalise was absent. */
    @Test
    void binaryFeaturesNeedNoRowNorm() {
        assertThat(parse("--binary").preprocessing()).isEqualTo(Preprocessing.of(true, Preprocessing.RowNorm.NONE));
        assertThat(parse("--hidden 32").preprocessing()).isNull();
    }

    private static Settings parse(String... lines) {
        return Settings.parse(Architectures.named("gprgnn"), List.of(lines), "made.args");
    }

    @ParameterizedTest
    @MethodSource("dev.nescio.study.Settings#tunedNames")
    void whatShipsCanBeUsed(String name) {
        String[] parts = name.split("/");
        Settings settings = Settings.tuned(parts[0], parts[1]);

        Architectures.named(parts[1]).require(settings.model());
        assertThat(settings.preprocessing()).isEqualTo(DataSets.named(parts[0]).preprocessing());
        assertThat(Settings.tunedLines(parts[0], parts[1])).contains("--model " + parts[1]);
        assertThat(Settings.tunedLines(parts[0], parts[1]).get(0))
                .matches("# data:" + parts[0] + ": (best of|not tuned by itself; the settings that) .*");
    }

    @Test
    void othersHaveTheDefaultsOrTheSettingsOfAGraphLikeThem() {
        assertThat(Settings.tuned("actor", "res-gcn")).isEqualTo(Settings.defaults(Architectures.named("res-gcn")));
        for (String like : List.of("amazon_ratings", "roman_empire")) {
            assertThat(Settings.tuned(like, "res-gcn")).isEqualTo(Settings.tuned("amazon_ratings_cut", "res-gcn"));
        }
    }
}
