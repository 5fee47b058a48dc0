// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.tensor.Engine;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The number of threads changes how long work takes and nothing else. Sums of libtorch over many rows did: it cuts them into as many
 * parts as there are threads.
 */
class ThreadCountTest {

    private final int before = Engine.threads();

    @AfterEach
    void goBack() {
        Engine.useThreads(before);
    }

    static Stream<String> architectures() {
        return Architectures.all().stream().map(Architecture::name);
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void everyModelLearnsTheSameBytes(String name) {
        DetectorOptions options = DetectorOptions.defaults()
                .withArchitecture(name)
                .with(ModelOptions.HIDDEN, 16)
                .with(TrainingOptions.EPOCHS, 3)
                .withEstimators("ebm");
        // The teacher of sgcn is trained to its end, whatever the number of epochs.
        Graph graph = BuiltinGraphs.make(name.equals("sgcn") ? "blocks?nodes=2000" : "blocks?nodes=12000&features=16");
        Detector one = trained(1, graph, options);
        for (int threads : new int[] {2, 3}) {
            Detector many = trained(threads, graph, options);
            one.model().parameters().forEach((parameter, values) -> assertThat(
                            Arrays.equals(floats(many.model().parameters().get(parameter)), floats(values)))
                    .as(parameter + " is the same with " + threads + " threads as with one")
                    .isTrue());
        }
    }

    private static float[] floats(NdArray array) {
        return ((NdArray.Floats) array).values();
    }

    @Test
    void everyEstimatorScoresTheSameBytes() {
        DetectorOptions options = DetectorOptions.defaults()
                .with(TrainingOptions.EPOCHS, 3)
                .withEstimators(
                        "jlde",
                        "jlde-kde",
                        "jlde-mixture",
                        "jlde-relative",
                        "jlde-smoothed",
                        "mahalanobis",
                        "gnnsafe",
                        "gebm",
                        "mcd:passes=4",
                        "ensemble:members=2");
        Graph graph = BuiltinGraphs.make("blocks?nodes=2500");
        Scores one = trained(1, graph, options).score(graph);
        for (int threads : new int[] {2, 3}) {
            Scores many = trained(threads, graph, options).score(graph);
            assertThat(many.prediction().distribution())
                    .isEqualTo(one.prediction().distribution());
            one.byEstimator().forEach((label, opinion) -> assertThat(
                            Arrays.equals(many.byEstimator().get(label).epistemic(), opinion.epistemic()))
                    .as(label + " is the same with " + threads + " threads as with one")
                    .isTrue());
        }
    }

    private static Detector trained(int threads, Graph graph, DetectorOptions options) {
        Engine.useThreads(threads);
        return Detector.train(graph, SplitRules.choose(graph, "80/10/10:1"), options, TrainingListener.NONE);
    }
}
