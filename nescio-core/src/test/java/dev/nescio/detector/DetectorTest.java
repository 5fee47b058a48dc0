package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Training;
import dev.nescio.model.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.JldeOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DetectorTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=600");
    private final Split split = graph.split("0");

    private static DetectorOptions options(JldeOptions estimator) {
        return new DetectorOptions(
                "res-gcn",
                new ModelOptions(16, 2, 0.2, 1),
                new Training(0.01, 0, 100, 40, 1),
                new Preprocessing(false, Preprocessing.RowNorm.L2),
                List.of("jlde", "gebm"),
                estimator,
                Set.of(4));
    }

    @Test
    void findsTheClassItHasNeverSeen() {
        Detector detector = Detector.train(graph, split, options(JldeOptions.defaults()), TrainingListener.NONE);
        Scores scores = detector.score(graph);
        Evaluation evaluation = Evaluation.of(detector, scores, graph, split);

        assertThat(detector.classes()).containsExactly("0", "1", "2", "3");
        assertThat(detector.provenance().leftOut()).containsExactly("4");
        assertThat(evaluation.accuracy()).isGreaterThan(0.85);
        assertThat(evaluation.aucEpistemic()).isGreaterThan(0.8);
        assertThat(scores.predicted(0)).isIn("0", "1", "2", "3");
        assertThat(Arrays.stream(scores.aleatoric())).allMatch(a -> a >= 0 && a < 1);
    }

    @Test
    void estimatorsThatLearnNothingNeedNotHaveBeenFitted() {
        Detector detector = Detector.train(graph, split, options(JldeOptions.defaults()), TrainingListener.NONE);
        Scores scores =
                detector.withEstimators(List.of("gnnsafe", "gebm", "ebm")).score(graph);

        assertThat(scores.byEstimator().keySet()).containsExactly("gnnsafe", "gebm", "ebm");
        assertThat(scores.epistemic()).isSameAs(scores.byEstimator().get("gnnsafe"));
        assertThatThrownBy(() -> detector.withEstimators(List.of("jlde-kde")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("estimator 'jlde-kde' was not fitted when this detector was trained; it has jlde, gebm");
    }

    @Test
    void tooLargeAKIsRefusedBeforeTraining() {
        assertThatThrownBy(() -> Detector.train(
                        graph, split, options(JldeOptions.defaults().withK(1000)), epoch -> {
                            throw new AssertionError("training has begun");
                        }))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("k must be at most the number of training nodes, got k = 1000, training nodes = 240");
    }
}
