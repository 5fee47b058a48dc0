// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.Cancelled;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NodeResultTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=300");
    private static Detector detector;

    @BeforeAll
    static void train() {
        detector = Detector.train(
                GRAPH,
                GRAPH.split("0"),
                DetectorOptions.defaults().with(TrainingOptions.EPOCHS, 30),
                TrainingListener.NONE);
    }

    @Test
    void saysWhatTheTableSays() {
        Scores scores = detector.score(GRAPH);
        Decisions decisions = Decisions.of(
                scores,
                Decisions.Wishes.NONE
                        .withAlpha(0.2)
                        .withFalseAlarms(0.5)
                        .withAccuracy(0.5)
                        .withMissedLabels(0.2));
        ScoreTable table = ScoreTable.of(scores, decisions);

        List<NodeResult> results = scores.results(decisions).toList();

        assertThat(results).hasSize(300);
        for (int i = 0; i < 300; i++) {
            NodeResult result = results.get(i);
            assertThat(table.row(i))
                    .containsEntry("node", result.id())
                    .containsEntry("role", result.role().text())
                    .containsEntry("predicted", result.predicted())
                    .containsEntry("probability", result.probabilities().get(result.predicted()))
                    .containsEntry("aleatoric", result.aleatoric())
                    .containsEntry("epistemic", result.epistemic())
                    .containsEntry("p_value", result.pValue())
                    .containsEntry("flagged", result.flagged())
                    .containsEntry("listed", result.listed())
                    .containsEntry("abstains", result.abstains())
                    .containsEntry("labels", result.labels());
            assertThat(result.probabilities().values().stream()
                            .mapToDouble(p -> p)
                            .sum())
                    .isCloseTo(1, within(1e-9));
        }
    }

    @Test
    void isThereForOneNode() {
        NodeResult one = detector.score(GRAPH, "17");

        assertThat(one.id()).isEqualTo("17");
        assertThat(one.flagged()).isNull();
        assertThat(one.epistemic())
                .isCloseTo(detector.score(GRAPH).result("17").epistemic(), within(1e-4 * one.epistemic()));
        assertThatThrownBy(() -> detector.score(GRAPH, "x"))
                .isInstanceOf(BadInput.class)
                .hasMessage("blocks has no node 'x'");
        assertThatThrownBy(() -> detector.score(GRAPH).result("x")).isInstanceOf(BadInput.class);
    }

    @Test
    void trainingAndScoringCanBeCancelled() {
        AtomicInteger epochs = new AtomicInteger();

        assertThatThrownBy(() -> Detector.train(GRAPH, GRAPH.split("0"), DetectorOptions.defaults(), epoch -> {
                    epochs.set(epoch.number());
                    if (epoch.number() == 3) {
                        throw new Cancelled();
                    }
                }))
                .isInstanceOf(Cancelled.class);
        assertThat(epochs).hasValue(3);
        assertThatThrownBy(() -> detector.score(GRAPH, (done, total) -> {
                    throw new Cancelled();
                }))
                .isInstanceOf(Cancelled.class);
        assertThat(detector.score(GRAPH).nodes()).isEqualTo(300);
    }
}
