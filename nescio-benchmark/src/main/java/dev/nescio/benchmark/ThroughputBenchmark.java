// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import com.sun.management.OperatingSystemMXBean;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.StratifiedSplit;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Many trainings as one job, one per core, against the same trainings one after the other on one thread: how many times as
 * fast, and which share of the cores was busy. The two ways take turns, a few trainings at a time.
 */
@CommandLine.Command(name = "throughput", mixinStandardHelpOptions = true)
final class ThroughputBenchmark implements Callable<Integer> {

    @Option(names = "--npz", description = "A graph; its features are made binary and its rows sum to 1.")
    @Nullable
    Path npz;

    @Option(names = "--model", defaultValue = "res-gcn")
    String model;

    @Option(names = "--hidden", defaultValue = "64")
    int hidden;

    @Option(names = "--trainings", defaultValue = "20")
    int trainings;

    @Option(names = "--epochs", defaultValue = "300")
    int epochs;

    @Option(names = "--rounds", defaultValue = "3")
    int rounds;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Override
    public Integer call() {
        Graph graph = npz == null
                ? RandomGraph.make(3000, 8000, 1000, 7)
                : Preprocessing.of(true, Preprocessing.RowNorm.L1).apply(GraphFile.read(npz));
        train(graph, 0);
        double[] alone = new double[rounds];
        double[] together = new double[rounds];
        double[] busy = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            Engine.useThreads(1);
            long begin = System.nanoTime();
            for (int i = 0; i < trainings; i++) {
                train(graph, i);
            }
            alone[round] = (System.nanoTime() - begin) / 1e9;
            Engine.useThreads(threads);
            long processor = processorTime();
            begin = System.nanoTime();
            Parallel.sideBySide(trainings, i -> train(graph, i));
            together[round] = (System.nanoTime() - begin) / 1e9;
            busy[round] = (processorTime() - processor) / 1e9 / together[round] / threads;
        }
        System.out.printf(
                "{\"trainings\": %d, \"threads\": %d, \"one_by_one_s\": %.2f, \"as_one_job_s\": %.2f, \"ratio\": %.2f, \"busy\": %.2f}%n",
                trainings,
                threads,
                Measure.median(alone),
                Measure.median(together),
                Measure.median(alone) / Measure.median(together),
                Measure.median(busy));
        return 0;
    }

    private void train(Graph graph, int seed) {
        Split split = StratifiedSplit.CITATION.draw(graph, seed);
        new Trainer(
                        Architectures.named(model),
                        ModelOptions.of(hidden, 2, 0.5, 1),
                        TrainingOptions.of(1e-3, 1e-4, epochs, epochs, seed))
                .train(graph, split, TrainingListener.NONE);
    }

    private static long processorTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
