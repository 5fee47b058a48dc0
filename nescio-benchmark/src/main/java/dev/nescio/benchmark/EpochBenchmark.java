// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.Trainer;
import dev.nescio.random.Rng;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.WorkLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The time of one training step plus one evaluation of the validation nodes, on a random graph or a stored one. */
@CommandLine.Command(name = "epoch", mixinStandardHelpOptions = true)
final class EpochBenchmark implements Callable<Integer> {

    @Option(names = "--model", defaultValue = "res-gcn")
    String model;

    @Option(
            names = "--npz",
            description = "A graph with splits, of which the first is taken; otherwise a random graph.")
    @Nullable
    Path npz;

    @Option(names = "--nodes", defaultValue = "22662")
    int nodes;

    @Option(names = "--edges", defaultValue = "32927")
    int edges;

    @Option(names = "--features", defaultValue = "300")
    int features;

    @Option(names = "--classes", defaultValue = "18")
    int classes;

    @Option(names = "--hidden", defaultValue = "512")
    int hidden;

    @Option(names = "--epochs", defaultValue = "12")
    int epochs;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        Graph graph = npz == null ? RandomGraph.make(nodes, edges, features, classes) : GraphFile.read(npz);
        Split split = npz == null ? randomSplit() : graph.split("0");
        List<Long> ends = new ArrayList<>();
        new Trainer(
                        Architectures.named(model),
                        ModelOptions.of(hidden, 2, 0.2, 1),
                        TrainingOptions.of(1e-3, 0, epochs, epochs, 0))
                .train(graph, split, epoch -> {
                    // The last epoch is written down; it is not timed.
                    if (ends.size() == epochs - 2) {
                        WorkLog.begin();
                    }
                    ends.add(System.nanoTime());
                });
        WorkLog work = WorkLog.end();
        double[] milliseconds = new double[ends.size() - 3];
        Arrays.setAll(milliseconds, i -> (ends.get(i + 2) - ends.get(i + 1)) / 1e6);
        long peak = Measure.peakMebibytes();
        System.out.printf(
                "{\"model\": \"%s\", \"hidden\": %d, \"nodes\": %d, \"threads\": %d, \"epoch_ms\": %.1f, \"products_ms\": %.1f, \"moves_ms\": %.1f, \"peak_mib\": %d}%n",
                model,
                hidden,
                graph.nodes(),
                threads,
                Measure.median(milliseconds),
                Measure.medianOf(5, work::timeOfProducts),
                Measure.medianOf(5, work::timeOfMoves),
                peak);
        return 0;
    }

    private Split randomSplit() {
        return randomSplit(nodes);
    }

    /** Half of the nodes for training, a quarter for validation. */
    static Split randomSplit(int nodes) {
        Rng rng = new Rng(1);
        boolean[] inTrain = new boolean[nodes];
        boolean[] inValidation = new boolean[nodes];
        for (int i = 0; i < nodes; i++) {
            inTrain[i] = rng.nextDouble() < 0.5;
            inValidation[i] = !inTrain[i] && rng.nextDouble() < 0.5;
        }
        return new Split("random", NodeSet.ofMask(inTrain), NodeSet.ofMask(inValidation), NodeSet.of());
    }
}
