// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Evidence;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Training nodes are not like others, and every output says which they are. */
class RolesTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=300");
    private static final Split SPLIT = GRAPH.split("0");
    private static Detector detector;

    @BeforeAll
    static void train() {
        detector = Detector.train(
                GRAPH, SPLIT, DetectorOptions.defaults().with(TrainingOptions.EPOCHS, 30), TrainingListener.NONE);
    }

    @Test
    void everyNodeHasOne() {
        Graph grown = new Growth(GRAPH)
                .node("fresh", new float[GRAPH.features().columns()])
                .build();

        List<Role> roles = detector.score(grown).roles();

        assertThat(roles).hasSize(301).contains(Role.VALIDATION, Role.HELD_OUT, Role.SEEN);
        assertThat(roles.get(300)).isEqualTo(Role.NEW);
        assertThat(IntStream.range(0, 300).filter(v -> roles.get(v) == Role.TRAINING))
                .containsExactlyElementsOf(SPLIT.train().stream().boxed().toList());
        assertThat(Role.HELD_OUT.text()).isEqualTo("held-out");
    }

    @Test
    void trainingNodesHaveNoPValueAndAreNeverFlaggedOrListed() {
        Scores scores = detector.score(GRAPH);

        Decisions decisions = Decisions.of(scores, new Decisions.Wishes(0.9, 0.9, null, null));

        assertThat(scores.flagged(0.9).size()).isGreaterThan(100);
        for (int v = 0; v < GRAPH.nodes(); v++) {
            boolean isTraining = SPLIT.train().contains(v);
            assertThat(Double.isNaN(decisions.pValues()[v])).isEqualTo(isTraining);
            assertThat(isTraining && (decisions.flagged()[v] || decisions.listed()[v]))
                    .isFalse();
            assertThat(decisions.flagged()[v]).isEqualTo(scores.flagged(0.9).contains(v));
        }
        assertThat(decisions.remarks())
                .anyMatch(remark -> remark.contains(SPLIT.train().size() + " of 300 nodes are training nodes"));
        Map<String, IntFunction<Object>> columns =
                ScoreTable.of(scores, decisions).columns();
        int training = SPLIT.train().toArray()[0];
        assertThat(columns.get("p_value").apply(training)).isNull();
        assertThat(columns.get("role").apply(training)).isEqualTo("training");
        assertThat(NodeExplanation.of(detector, GRAPH, training).pValue()).isNull();
    }

    /** As many ordinary nodes are flagged as the level says: training nodes do not thin them out. */
    @Test
    void someNodesHaveTheScoresOfAll() {
        Scores all = detector.score(GRAPH);
        NodeSet some = NodeSet.where(300, v -> v % 7 == 0);

        Scores few = detector.score(GRAPH, some);

        int[] nodes = some.toArray();
        for (int i = 0; i < nodes.length; i++) {
            assertThat(few.epistemic()[i])
                    .isCloseTo(all.epistemic()[nodes[i]], within(1e-4 * all.epistemic()[nodes[i]]));
            assertThat(few.roles().get(i)).isEqualTo(all.roles().get(nodes[i]));
        }
    }

    /** Numbers are no names: a smaller graph is another one, whose nodes are all new. */
    @Test
    void aSmallerGraphWithoutIdsHoldsNoKnownNodes() {
        Graph smaller = BuiltinGraphs.make("blocks?nodes=200");

        assertThat(detector.score(smaller).roles()).isEmpty();
        assertThat(detector.nodesIn(smaller).newIn(smaller).size()).isEqualTo(200);
        assertThat(detector.nodesIn(GRAPH).newIn(GRAPH).isEmpty()).isTrue();
    }

    /** Rows without ids are told by what they hold: other rows with the same numbers are not training nodes. */
    @Test
    void rowsOfAnotherArrayAreNotTrainingNodes() {
        Evidence states = Evidence.of(detector.forward(GRAPH).matrices(), SPLIT.train());
        EmbeddingDetector fitted = EmbeddingDetector.fit(
                new EmbeddingDetector.Data(states, SPLIT.validation(), GRAPH.labels(), NodeIds.numbered(300), "states"),
                DetectorOptions.defaults().estimators(),
                List.of());
        Graph changed = GRAPH.with()
                .features(BuiltinGraphs.make("blocks?nodes=300&seed=5").features())
                .build();
        Evidence others = Evidence.of(detector.forward(changed).matrices(), NodeSet.of());

        assertThat(fitted.score(states, NodeIds.numbered(300), Progress.NONE).roles())
                .contains(Role.TRAINING, Role.HELD_OUT, Role.SEEN)
                .hasSize(300);
        assertThat(fitted.score(others, NodeIds.numbered(300), Progress.NONE).roles())
                .isEmpty();
        List<String> names = IntStream.range(0, 300).mapToObj(v -> "n" + v).toList();
        assertThat(fitted.score(others, NodeIds.named(names), Progress.NONE).roles())
                .containsOnly(Role.NEW);
    }
}
