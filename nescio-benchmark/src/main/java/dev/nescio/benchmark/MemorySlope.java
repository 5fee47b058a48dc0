// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Whether memory grows with the number of trainings in one process: the resident size after every training and scoring, and its slope
 * over the second half, which a leak would show in.
 */
@CommandLine.Command(name = "memory", mixinStandardHelpOptions = true)
final class MemorySlope implements Callable<Integer> {

    @Option(names = "--trainings", defaultValue = "50")
    int trainings;

    @Option(names = "--model", defaultValue = "res-gcn")
    String model;

    @Option(names = "--most", description = "Fails where a training takes more MiB than this for good.")
    double most = Double.MAX_VALUE;

    @Override
    public Integer call() throws IOException {
        Graph graph = BuiltinGraphs.make("blocks?nodes=2000");
        double[] mebibytes = new double[trainings];
        for (int i = 0; i < trainings; i++) {
            DetectorOptions options = DetectorOptions.defaults()
                    .withArchitecture(model)
                    .withSeed(i)
                    .with(TrainingOptions.EPOCHS, 60);
            Detector detector = Detector.train(graph, graph.split("0"), options, TrainingListener.NONE);
            detector.score(graph);
            System.gc();
            mebibytes[i] = resident();
            System.err.printf(Locale.ROOT, "%d: %.0f MiB%n", i + 1, mebibytes[i]);
        }
        int half = trainings / 2;
        double middle = (half + trainings - 1) / 2.0;
        double mean = 0;
        for (int i = half; i < trainings; i++) {
            mean += mebibytes[i] / (trainings - half);
        }
        double products = 0;
        double squares = 0;
        for (int i = half; i < trainings; i++) {
            products += (i - middle) * (mebibytes[i] - mean);
            squares += (i - middle) * (i - middle);
        }
        System.out.printf(
                Locale.ROOT,
                "%s: after %d trainings %.0f MiB, %.2f MiB more per training over the second half%n",
                model,
                trainings,
                mebibytes[trainings - 1],
                products / squares);
        return products / squares > most ? 1 : 0;
    }

    /** The resident size of this process, as Linux tells it. */
    private static double resident() throws IOException {
        String status = Files.readString(Path.of("/proc/self/status"));
        return status.lines()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                / 1024.0;
    }
}
