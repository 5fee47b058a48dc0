// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.nescio.decision.Calibration;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Weights;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.uncertainty.Temperature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DetectorTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=600");
    private final Split split = graph.split("0");

    private static DetectorOptions options(String... estimators) {
        return DetectorOptions.defaults()
                .withModel(ModelOptions.of(16, 2, 0.2, 1))
                .withTraining(TrainingOptions.of(0.01, 0, 100, 40, 1))
                .withPreprocessing(Preprocessing.of(false, Preprocessing.RowNorm.L2))
                .withEstimators(estimators)
                .withLeftOut(Set.of(4));
    }

    @Test
    void findsTheClassItHasNeverSeen() {
        Detector detector = Detector.train(graph, split, options("jlde", "gebm"), TrainingListener.NONE);
        Scores scores = detector.score(graph);
        Evaluation evaluation = Evaluation.of(detector, scores, graph, split);

        assertThat(detector.classes()).containsExactly("0", "1", "2", "3");
        assertThat(detector.provenance().leftOut()).containsExactly("4");
        assertThat(evaluation.quality().accuracy()).isGreaterThan(0.85);
        assertThat(evaluation.quality().aucEpistemic()).isGreaterThan(0.8);
        assertThat(scores.predicted(0)).isIn("0", "1", "2", "3");
        assertThat(Arrays.stream(scores.aleatoric())).allMatch(a -> a >= 0 && a < 1);
    }

    @Test
    void estimatorsThatLearnNothingNeedNotHaveBeenFitted() {
        Detector detector = Detector.train(graph, split, options("jlde", "gebm"), TrainingListener.NONE);
        Scores scores =
                detector.withEstimators(List.of("gnnsafe", "gebm", "ebm")).score(graph);

        assertThat(scores.byEstimator().keySet()).containsExactly("gnnsafe", "gebm", "ebm");
        assertThat(scores.epistemic())
                .isSameAs(scores.byEstimator().get("gnnsafe").epistemic());
        assertThatThrownBy(() -> detector.withEstimators(List.of("jlde-kde")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("estimator 'jlde-kde' was not fitted when this detector was trained; it has jlde, gebm");
    }

    @Test
    void tooLargeAKIsRefusedBeforeTraining() {
        assertThatThrownBy(() -> Detector.train(graph, split, options("jlde:k=1000"), epoch -> {
                    throw new AssertionError("training has begun");
                }))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("k must be at most the number of training nodes, got k = 1000, training nodes = 240");
    }

    @Test
    void anEnsembleDisagreesMoreAboutTheClassItHasNeverSeen() {
        DetectorOptions options =
                options("jlde", "ensemble:members=4", "ensemble-information:members=4", "mcd:passes=8");
        Detector detector = Detector.train(graph, split, options, TrainingListener.NONE);
        Scores scores = detector.score(graph);
        Evaluation evaluation = Evaluation.of(detector, scores, graph, split);

        assertThat(detector.networks()).hasSize(4).doesNotHaveDuplicates();
        for (String name : options.labels()) {
            assertThat(evaluation.byEstimator().get(name).aucEpistemic())
                    .as(name)
                    .isGreaterThan(0.7);
        }
        assertThat(evaluation.byEstimator().get("ensemble").accuracy()).isGreaterThan(0.85);
        assertThat(scores.byEstimator().get("ensemble").prediction()).isNotSameAs(scores.prediction());
    }

    @Test
    void anEnsembleTakesNetworksThatWereTrainedBefore() {
        DetectorOptions options = options("ensemble:members=3");
        Detector together = Detector.train(graph, split, options, TrainingListener.NONE);
        List<Trainer.Result> before = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            DetectorOptions single = options.withEstimators("jlde")
                    .withTraining(options.training().member(i));
            Detector trained = Detector.train(graph, split, single, TrainingListener.NONE);
            Provenance p = trained.provenance();
            before.add(
                    new Trainer.Result(trained.model(), p.epochs(), p.bestEpoch(), p.validationAccuracy(), Double.NaN));
        }
        double[] scores = Detector.of(TrainingView.of(graph, split, options), options, before)
                .score(graph)
                .epistemic();
        double[] expected = together.score(graph).epistemic();

        // One core each or both for one differ in the last bits.
        for (int v = 0; v < scores.length; v++) {
            assertThat(scores[v]).isCloseTo(expected[v], within(0.02));
        }
    }

    @Test
    void passesWithDropoutAreTheSameEveryTimeAndForAnyNumberOfCores() {
        DetectorOptions options = options("mcd:passes=5", "mcd-entropy:passes=5");
        Detector detector = Detector.train(graph, split, options, TrainingListener.NONE);
        double[] both = detector.score(graph).epistemic();
        int before = Engine.threads();
        try {
            Engine.useThreads(1);
            assertThat(detector.score(graph).epistemic()).containsExactly(both);
        } finally {
            Engine.useThreads(before);
        }
        assertThat(Arrays.stream(both)).allMatch(u -> u > 0);
    }

    @Test
    void passesThatReuseWhatDropoutDoesNotTouchAreThePassesOfTraining() {
        Detector detector = Detector.train(graph, split, options("jlde", "gebm"), TrainingListener.NONE);
        Graph prepared = detector.options().preprocessing().apply(graph);
        Model model = detector.model();
        Seed seed = new Seed(5);
        model.randomPasses(prepared, NodeSet.all(prepared.nodes()), 3, seed, (i, logits) -> {
            try (Weights weights = Weights.of(model.parameters())) {
                Network network = Architectures.named("res-gcn").network(weights, model.shape(), model.options());
                try (MessageFlow flow = MessageFlow.toAll(prepared, network.layers())) {
                    Dropout dropout = new Dropout(model.options().dropout(), seed.split(i));
                    float[] plain = Scope.run(
                            () -> Gradients.off(() -> network.logits(flow, dropout, Network.StateListener.NONE)
                                    .toFloats()));
                    assertThat(logits.values()).containsExactly(plain);
                }
            }
        });
    }

    @Test
    void aTemperatureMovesProbabilitiesAndNothingElse() {
        DetectorOptions options = options("jlde", "ebm", "gnnsafe");
        Scores plain = Detector.train(
                        graph,
                        split,
                        options.with(DetectorOptions.CALIBRATE, Temperature.Fitting.FALSE),
                        TrainingListener.NONE)
                .score(graph);
        Detector calibrated = Detector.train(
                graph, split, options.with(DetectorOptions.CALIBRATE, Temperature.Fitting.TRUE), TrainingListener.NONE);
        Scores scores = calibrated.score(graph);

        assertThat(calibrated.estimators().temperature()).isNotEqualTo(1);
        assertThat(scores.prediction().label())
                .containsExactly(plain.prediction().label());
        assertThat(scores.aleatoric()).isNotEqualTo(plain.aleatoric());
        plain.byEstimator()
                .forEach((name, opinion) ->
                        assertThat(scores.byEstimator().get(name).epistemic()).containsExactly(opinion.epistemic()));
    }

    /** Nodes that chose the best epoch would make the temperature too low. */
    @Test
    void aTemperatureIsFittedByItselfWhereEnoughNodesChoseNothing() {
        Graph large = BuiltinGraphs.make("blocks?nodes=1000");
        Split whole = large.split("0");
        Split few = whole.with(
                whole.train(), NodeSet.of(Arrays.copyOf(whole.validation().toArray(), 50)), whole.test());
        DetectorOptions options = options("jlde");

        assertThat(whole.validation().size()).isGreaterThan(2 * Temperature.ENOUGH);
        assertThat(temperature(large, whole, options)).isNotEqualTo(1);
        assertThat(temperature(large, few, options)).isEqualTo(1);
        assertThat(temperature(large, whole, options.with(DetectorOptions.HELD_OUT, 0.0)))
                .isEqualTo(1);
        assertThat(temperature(large, whole, options.with(DetectorOptions.CALIBRATE, Temperature.Fitting.FALSE)))
                .isEqualTo(1);
        assertThat(temperature(
                        large,
                        whole,
                        options.with(DetectorOptions.HELD_OUT, 0.0)
                                .with(DetectorOptions.CALIBRATE, Temperature.Fitting.TRUE)))
                .isNotEqualTo(1);
    }

    private static double temperature(Graph graph, Split split, DetectorOptions options) {
        return Detector.train(graph, split, options, TrainingListener.NONE)
                .estimators()
                .temperature();
    }

    @Test
    void saysBeforeTrainingWhatCannotBeScored() {
        DetectorOptions options = options("jlde", "gebm");

        assertThatThrownBy(() -> TrainingView.of(graph, split, options.withEstimators("evidential")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("evidence");
        assertThatThrownBy(() -> options.withModel(ModelOptions.of(16, 2, 0, 1)).withEstimators("mcd"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("dropout");
        Detector alone = Detector.train(graph, split, options, TrainingListener.NONE);
        assertThatThrownBy(() -> alone.withEstimators(List.of("ensemble")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("10 trained models, but there are 1");
    }

    @Test
    void scoresOfNewNodesAreThoseOfTheGrownGraph() {
        for (String[] estimators : new String[][] {{"jlde", "ebm"}, {"gnnsafe"}, {"jlde-kde"}}) {
            Detector detector = Detector.train(graph, split, options(estimators), TrainingListener.NONE);
            Growth growth = new Growth(graph)
                    .node("a", row(0))
                    .node("b", row(1))
                    .edge("a", "b")
                    .edge("a", "17")
                    .edge("b", "3");
            Graph grown = growth.build();
            Scores all = detector.score(grown);
            Scores some = detector.score(grown, growth.nodes());

            assertThat(some.ids().name(1)).isEqualTo("b");
            for (int i = 0; i < 2; i++) {
                int node = graph.nodes() + i;
                assertThat(some.predicted(i)).isEqualTo(all.predicted(node));
                assertThat(some.epistemic()[i]).isCloseTo(all.epistemic()[node], withinPercentage(0.1));
            }
        }
    }

    private float[] row(int node) {
        float[] row = new float[graph.features().columns()];
        for (int i = 0; i < row.length; i++) {
            row[i] = graph.features().get(node, i);
        }
        return row;
    }

    @Test
    void theSimpleWayFlagsUnusualNodes() {
        // Enough held-out nodes that the share of flagged ones is not a matter of chance.
        Graph larger = BuiltinGraphs.make("blocks?nodes=1500");
        Split split = larger.split("0");
        Detector detector = Detector.train(larger, split, options("jlde", "gebm"), TrainingListener.NONE);
        Scores scores = detector.score(larger);
        NodeSet flagged = scores.flagged(0.05);
        NodeSet unseen = split.test().filter(v -> larger.label(v) == 4);
        NodeSet ordinary = split.test().filter(v -> larger.label(v) != 4);

        assertThat(detector.calibration().nodes())
                .isEqualTo(split.validation().filter(v -> larger.label(v) != 4).size() / 2);
        assertThat(share(flagged, ordinary)).isLessThan(0.15);
        assertThat(share(flagged, unseen)).isGreaterThan(3 * share(flagged, ordinary));
        double[] p = scores.pValues();
        assertThat(flagged.stream()).allMatch(v -> p[v] <= 0.05);
        Growth growth = new Growth(larger).node("fresh", row(0));
        assertThat(detector.nodes().newIn(larger).isEmpty()).isTrue();
        assertThat(detector.nodes().newIn(growth.build())).isEqualTo(growth.nodes());
    }

    /** Label sets came from held-out predictions of the first estimator, whoever predicted later: none held the true label. */
    @Test
    void labelSetsAreComparedWithPredictionsOfTheSamePredictor() {
        Graph homophilic = BuiltinGraphs.make("mixed?nodes=800&homophily=0.9");
        Split nodes = homophilic.split("0");
        DetectorOptions options = DetectorOptions.defaults()
                .withArchitecture("gpn")
                .with(ModelOptions.HIDDEN, 16)
                .withTraining(TrainingOptions.of(0.01, 1e-4, 60, 30, 0))
                .with(DetectorOptions.CALIBRATE, Temperature.Fitting.TRUE)
                .withEstimators("jlde", "evidential");
        Detector both = Detector.train(homophilic, nodes, options, TrainingListener.NONE);
        Scores alone = both.withEstimators(List.of("evidential")).score(homophilic);
        Decisions decisions = Decisions.of(alone, new Decisions.Wishes(null, null, null, 0.1));
        double covered = nodes.test().stream()
                        .filter(v -> decisions
                                .labels()
                                .get(v)
                                .contains(homophilic.classes().get(homophilic.label(v))))
                        .count()
                / (double) nodes.test().size();

        assertThat(covered).isBetween(0.82, 1.0);
        Scores first = both.score(homophilic);
        assertThat(first.byEstimator().get("jlde").predictor()).isEqualTo(Calibration.LOGITS);
        assertThat(first.byEstimator().get("evidential").predictor()).isEqualTo("evidential");
    }

    private static double share(NodeSet flagged, NodeSet of) {
        return (double) of.stream().filter(flagged::contains).count() / of.size();
    }
}
