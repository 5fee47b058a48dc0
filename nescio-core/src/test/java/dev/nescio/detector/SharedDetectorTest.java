// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * One detector, many threads: the same bytes as alone. A setting of the whole process was changed and restored by every thread, so
 * that 19 of 40 scores were the same and others off by 1e-6.
 */
class SharedDetectorTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 10;

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=2500");
    private final Detector detector = Detector.train(
            graph,
            graph.split("0"),
            DetectorOptions.defaults()
                    .with(ModelOptions.HIDDEN, 64)
                    .with(TrainingOptions.EPOCHS, 5)
                    .withEstimators("jlde", "jlde-kde", "gebm", "mcd:passes=4", "ensemble:members=2"),
            TrainingListener.NONE);

    @Test
    void scoresAreTheSameBytesAsAlone() throws Exception {
        Scores alone = detector.score(graph);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Scores>> work = new ArrayList<>();
            for (int i = 0; i < THREADS * ROUNDS; i++) {
                work.add(() -> detector.score(graph));
            }
            for (Future<Scores> future : threads.invokeAll(work)) {
                Scores scores = future.get();
                assertThat(scores.prediction().distribution())
                        .containsExactly(alone.prediction().distribution());
                alone.byEstimator().forEach((label, opinion) -> assertThat(
                                scores.byEstimator().get(label).epistemic())
                        .as(label)
                        .containsExactly(opinion.epistemic()));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void trainingBesideScoringDisturbsNeither() throws Exception {
        Scores alone = detector.score(graph);
        DetectorOptions options = detector.options().withEstimators("jlde");
        Detector expected = Detector.train(graph, graph.split("1"), options, TrainingListener.NONE);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Detector> trained =
                    threads.submit(() -> Detector.train(graph, graph.split("1"), options, TrainingListener.NONE));
            Future<Scores> scored = threads.submit(() -> detector.score(graph));
            assertThat(scored.get().epistemic()).containsExactly(alone.epistemic());
            assertThat(trained.get().score(graph).epistemic())
                    .containsExactly(expected.score(graph).epistemic());
        } finally {
            threads.shutdownNow();
        }
    }
}
