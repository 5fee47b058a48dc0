// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.random.Rng;
import dev.nescio.tensor.Engine;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Time and extra memory to score many nodes against many training nodes. */
@CommandLine.Command(name = "scale", mixinStandardHelpOptions = true)
final class ScaleBenchmark implements Callable<Integer> {

    @Option(names = "--nodes", defaultValue = "1000000")
    int nodes;

    @Option(names = "--train", defaultValue = "100000")
    int train;

    @Option(names = "--dims", defaultValue = "96")
    int dims;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Option(names = "--estimator", defaultValue = "jlde")
    String estimator;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        Graph graph = Graph.builder(
                        "none",
                        Adjacency.undirected(nodes, new int[0], new int[0]).adjacency())
                .labels(labels(), 10)
                .build();
        int[] training = new int[train];
        Arrays.setAll(training, i -> i);
        Evidence evidence = Evidence.of(
                        List.of(RandomGraph.lowRank(nodes, dims, dims / 4, new Rng(0))), NodeSet.of(training))
                .on(graph);
        long start = System.nanoTime();
        FittedEstimator fitted = Estimators.with(Estimators.parseAll(estimator), Map.of("components", "none"))
                .get(0)
                .fit(evidence);
        double fit = (System.nanoTime() - start) / 1e9;
        System.gc();
        Measure.resetPeak();
        long before = Measure.residentMebibytes();
        start = System.nanoTime();
        fitted.score(evidence);
        System.out.printf(
                "{\"estimator\": \"%s\", \"nodes\": %d, \"train\": %d, \"dims\": %d, \"fit_s\": %.1f, "
                        + "\"score_s\": %.1f, \"resident_mib\": %d, \"extra_mib\": %d, \"remark\": \"%s\"}%n",
                estimator,
                nodes,
                train,
                dims,
                fit,
                (System.nanoTime() - start) / 1e9,
                before,
                Measure.peakMebibytes() - before,
                fitted.remark());
        return 0;
    }

    private int[] labels() {
        int[] labels = new int[nodes];
        Arrays.setAll(labels, v -> v % 10);
        return labels;
    }
}
