// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.model.Forward;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.WorkLog;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * What each estimator costs to score every node, the forward pass included, beside one forward pass alone and beside the matrix
 * products of that. The pass leaves hidden states in native memory; {@code forward-heap} brings all of them to the heap.
 */
@CommandLine.Command(name = "estimators", mixinStandardHelpOptions = true)
final class EstimatorsBenchmark implements Callable<Integer> {

    @Option(names = "--nodes", defaultValue = "24492")
    int nodes;

    @Option(names = "--edges", defaultValue = "93050")
    int edges;

    @Option(names = "--features", defaultValue = "300")
    int features;

    @Option(names = "--classes", defaultValue = "5")
    int classes;

    @Option(names = "--hidden", defaultValue = "512")
    int hidden;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Option(names = "--repeat", defaultValue = "3")
    int repeat;

    @Option(
            names = "--estimators",
            split = ",",
            defaultValue = "ebm,gnnsafe,gebm,jlde,jlde-relative,jlde-smoothed,jlde-kde,jlde-mixture,mcd,ensemble")
    List<String> names;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        Graph graph = RandomGraph.falling(nodes, edges, features, classes);
        Split split = new Split(
                "half",
                NodeSet.where(nodes, v -> v % 2 == 0),
                NodeSet.where(nodes, v -> v % 4 == 1),
                NodeSet.where(nodes, v -> v % 4 == 3));
        DetectorOptions options = DetectorOptions.defaults()
                .withModel(ModelOptions.of(hidden, 2, 0.2, 1))
                .withTraining(TrainingOptions.of(1e-3, 0, 10, 10, 0))
                .withEstimators(names.toArray(String[]::new));
        Detector all = Detector.train(graph, split, options, TrainingListener.NONE);
        Map<String, Double> milliseconds = new LinkedHashMap<>();
        NodeSet everybody = NodeSet.all(nodes);
        Runnable pass = () -> all.model().look(graph, everybody, Forward::logits);
        WorkLog.begin();
        pass.run();
        WorkLog work = WorkLog.end();
        for (int round = 0; round < repeat; round++) {
            milliseconds.merge("products", work.timeOfProducts(), Math::min);
            time(milliseconds, "forward", pass);
            time(milliseconds, "forward-heap", () -> all.model().forward(graph));
            for (String name : names) {
                Detector one = all.withEstimators(List.of(name));
                time(milliseconds, name, () -> one.score(graph));
            }
        }
        System.out.println(milliseconds.entrySet().stream()
                .map(e -> String.format(Locale.ROOT, "\"%s\": %.0f", e.getKey(), e.getValue()))
                .collect(Collectors.joining(", ", "{\"dimensions\": " + dimensions(all) + ", ", "}")));
        return 0;
    }

    /** Of the joint embedding. */
    private static int dimensions(Detector detector) {
        FittedEstimator jlde = Objects.requireNonNull(
                        detector.estimators().byLabel().get("jlde"))
                .fitted();
        return Objects.requireNonNull(jlde.state().get("part0.training")).shape()[1];
    }

    /** Keeps the best time. */
    private static void time(Map<String, Double> milliseconds, String name, Runnable body) {
        long start = System.nanoTime();
        body.run();
        milliseconds.merge(name, (System.nanoTime() - start) / 1e6, Math::min);
    }
}
