// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AutoSettingsTest {

    private final Graph graph = BuiltinGraphs.make("moons?nodes=600");
    private final DetectorOptions base =
            DetectorOptions.defaults().with(ModelOptions.HIDDEN, 16).with(TrainingOptions.EPOCHS, 40);
    private final TrainingView view = TrainingView.of(graph, graph.split("0"), base);

    @Test
    void theBestOnTheValidationNodesIsChosen() {
        AtomicInteger done = new AtomicInteger();

        AutoSettings.Choice choice = AutoSettings.choose(
                view, base, Set.of(), Duration.ofMinutes(5), (trainings, total) -> done.set(trainings));

        assertThat(choice.tried()).hasSize(4);
        assertThat(done).hasValue(4);
        double best = choice.tried().stream()
                .mapToDouble(AutoSettings.Tried::accuracy)
                .max()
                .orElseThrow();
        AutoSettings.Tried chosen = choice.tried().stream()
                .filter(tried -> tried.values().equals(choice.values()))
                .findFirst()
                .orElseThrow();
        double error = Math.sqrt(best * (1 - best) / view.split().validation().size());
        assertThat(chosen.accuracy()).isGreaterThanOrEqualTo(best - error);
        assertThat(choice.tried()).allMatch(tried -> tried.accuracy() < best - error || tried.loss() >= chosen.loss());
        assertThat(choice.options().model().dropout()).isEqualTo(choice.values().get("dropout"));
        assertThat(choice.options().training().values().get(TrainingOptions.LEARNING_RATE))
                .isEqualTo(choice.values().get("learning-rate"));
    }

    @Test
    void whatSomebodyHasChosenStays() {
        AutoSettings.Choice choice = AutoSettings.choose(
                view,
                base.with(ModelOptions.DROPOUT, 0.3),
                Set.of("dropout"),
                Duration.ofMinutes(5),
                (trainings, total) -> {});

        assertThat(choice.tried().stream().map(AutoSettings.Tried::values))
                .containsExactly(
                        Map.of("dropout", 0.3, "learning-rate", 0.001), Map.of("dropout", 0.3, "learning-rate", 0.01));
    }

    /** Without time there is the standard setting, which is always trained to its end. */
    @Test
    void timeIsBounded() {
        AutoSettings.Choice choice = AutoSettings.choose(view, base, Set.of(), Duration.ZERO, (trainings, total) -> {});

        assertThat(choice.values()).isEqualTo(Map.of("dropout", 0.5, "learning-rate", 0.001));
        assertThat(choice.tried().stream().filter(tried -> Double.isNaN(tried.accuracy())))
                .hasSize(3);
    }
}
