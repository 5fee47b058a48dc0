// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.tensor.Engine;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The time and the extra memory to fit JLDE and to score every node, on low-rank states with noise. */
@CommandLine.Command(name = "score", mixinStandardHelpOptions = true)
final class ScoreBenchmark implements Callable<Integer> {

    @Option(names = "--nodes", defaultValue = "24492")
    int nodes;

    @Option(names = "--train", defaultValue = "12246")
    int train;

    @Option(names = "--dims", defaultValue = "512,512,512", split = ",")
    List<Integer> dims;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Option(names = "--repeat", defaultValue = "3")
    int repeat;

    @Option(names = "--estimator", defaultValue = "jlde")
    String estimator;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        Rng rng = new Rng(0);
        List<DenseMatrix> states = new ArrayList<>();
        dims.forEach(d -> states.add(RandomGraph.lowRank(nodes, d, d / 4, rng)));
        System.gc();
        Measure.resetPeak();
        long before = Measure.residentMebibytes();
        int[] training = new int[train];
        Arrays.setAll(training, i -> i);
        Evidence evidence = Evidence.of(states, NodeSet.of(training));
        double fit = Double.MAX_VALUE;
        double score = Double.MAX_VALUE;
        FittedEstimator last = null;
        for (int i = 0; i < repeat; i++) {
            long start = System.nanoTime();
            FittedEstimator fitted = Estimators.parse(estimator).fit(evidence);
            long middle = System.nanoTime();
            fitted.score(evidence);
            last = fitted;
            fit = Math.min(fit, (middle - start) / 1e6);
            score = Math.min(score, (System.nanoTime() - middle) / 1e6);
        }
        long extra = Measure.peakMebibytes() - before;
        System.out.printf(
                "{\"nodes\": %d, \"train\": %d, \"threads\": %d, \"fit_ms\": %.0f, \"score_ms\": %.0f, \"products_ms\": %.0f, \"extra_mib\": %d}%n",
                nodes, train, threads, fit, score, products(Objects.requireNonNull(last)), extra);
        return 0;
    }

    /** Covariances, projections of all nodes and all distances, and nothing else; the best of as many rounds. */
    private double products(FittedEstimator fitted) {
        int[] kept = IntStream.range(0, fitted.state().size())
                .mapToObj(i -> fitted.state().get("part0.state" + i + ".components"))
                .filter(Objects::nonNull)
                .mapToInt(components -> components.shape()[1])
                .toArray();
        int dimensions =
                Objects.requireNonNull(fitted.state().get("part0.training")).shape()[1];
        try (ProductsAlone products = new ProductsAlone()
                .andCovariances(nodes, dims)
                .andProjections(nodes, dims, IntStream.of(kept).boxed().toList())
                .andDistances(nodes, train, dimensions)) {
            return IntStream.range(0, repeat)
                    .mapToDouble(i -> products.run())
                    .min()
                    .orElseThrow();
        }
    }
}
