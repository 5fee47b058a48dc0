package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Preprocessing;
import dev.nescio.io.data.DataSets;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.problem.BadInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {

    @Test
    void readsWhatTuningWrites() {
        Settings settings = Settings.parse(
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
                        "--stopping loss",
                        "--choose hops=5"),
                "made.args");

        assertThat(settings)
                .isEqualTo(new Settings(
                        ModelOptions.of(512, 3, 0.2, 2, Map.of("hops", "5")),
                        TrainingOptions.of(0.01, 0, 10_000, 50, TrainingOptions.Stopping.LOSS, 0),
                        Preprocessing.of(true, Preprocessing.RowNorm.L2)));
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThatThrownBy(() -> Settings.parse(List.of("--hidden many"), "made.args"))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith("made.args: ");
        assertThatThrownBy(() -> Settings.parse(List.of("", "--choose hops"), "made.args"))
                .hasMessage("made.args, line 2: expected NAME=VALUE, got 'hops'");
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
    void othersHaveTheDefaults() {
        assertThat(Settings.tuned("roman_empire", "res-gcn").model()).isEqualTo(ModelOptions.defaults());
        assertThat(Settings.tuned("amazon_ratings", "res-gcn"))
                .isEqualTo(Settings.tuned("amazon_ratings_cut", "res-gcn"));
    }
}
