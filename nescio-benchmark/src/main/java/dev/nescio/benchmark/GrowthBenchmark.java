// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.random.Rng;
import dev.nescio.tensor.Engine;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** New nodes on a large graph: how long a batch takes, and how far its scores are from those of the whole grown graph. */
@CommandLine.Command(name = "growth", mixinStandardHelpOptions = true)
final class GrowthBenchmark implements Callable<Integer> {

    @Option(names = "--nodes", defaultValue = "1000000")
    int nodes;

    @Option(names = "--edges", defaultValue = "10000000")
    int edges;

    @Option(names = "--features", defaultValue = "64")
    int features;

    @Option(names = "--hidden", defaultValue = "32")
    int hidden;

    @Option(names = "--batch", defaultValue = "100")
    int batch;

    @Option(names = "--batches", defaultValue = "7")
    int batches;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        Graph graph = RandomGraph.make(nodes, edges, features, 5);
        Split split = new Split(
                "few",
                NodeSet.where(nodes, v -> v % 200 == 0),
                NodeSet.where(nodes, v -> v % 200 == 1),
                NodeSet.where(nodes, v -> v % 200 > 1));
        Detector detector = Detector.train(
                graph,
                split,
                DetectorOptions.defaults()
                        .withModel(ModelOptions.of(hidden, 2, 0.5, 1))
                        .withTraining(TrainingOptions.of(0.01, 1e-4, 2, 2, 0)),
                TrainingListener.NONE);
        double[] seconds = new double[batches];
        double worst = 0;
        Rng rng = new Rng(7);
        for (int b = 0; b < batches; b++) {
            Growth growth = growth(graph, b, rng);
            long begin = System.nanoTime();
            Graph grown = growth.build();
            Scores some = detector.score(grown, growth.nodes());
            seconds[b] = (System.nanoTime() - begin) / 1e9;
            if (b == 0) {
                double[] all = detector.score(grown).epistemic();
                for (int i = 0; i < batch; i++) {
                    double whole = all[nodes + i];
                    worst = Math.max(worst, Math.abs(some.epistemic()[i] - whole) / Math.abs(whole));
                }
            }
        }
        System.out.printf(
                "{\"nodes\": %d, \"directed_edges\": %d, \"batch\": %d, \"batch_s\": %.3f, \"worst_relative_difference\": %.2e, \"peak_mib\": %d}%n",
                nodes, graph.adjacency().edges(), batch, Measure.median(seconds), worst, Measure.peakMebibytes());
        return 0;
    }

    private Growth growth(Graph graph, int number, Rng rng) {
        Growth growth = new Growth(graph);
        for (int i = 0; i < batch; i++) {
            float[] row = new float[features];
            for (int f = 0; f < features; f++) {
                row[f] = (float) rng.nextGaussian();
            }
            growth.node("new " + number + " " + i, row);
        }
        for (int i = 0; i < batch; i++) {
            for (int e = 0; e < 10; e++) {
                growth.edge("new " + number + " " + i, Integer.toString(rng.nextInt(nodes)));
            }
        }
        return growth;
    }
}
