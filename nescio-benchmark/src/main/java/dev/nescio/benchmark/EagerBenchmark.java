// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * The work of {@link EpochBenchmark} in plain operations of libtorch, see {@link Eager}.
 */
@CommandLine.Command(name = "eager", mixinStandardHelpOptions = true)
final class EagerBenchmark implements Callable<Integer> {

    @Option(names = "--model", defaultValue = "res-gcn")
    String model;

    @Option(names = "--npz")
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
        Eager.useThreads(threads);
        Graph graph = npz == null ? RandomGraph.make(nodes, edges, features, classes) : GraphFile.read(npz);
        Split split = npz == null ? EpochBenchmark.randomSplit(nodes) : graph.split("0");
        DenseMatrix x =
                graph.features() instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) graph.features();
        TensorVector weights =
                Eager.weights(model, x.columns(), hidden, graph.classes().size());
        Function network =
                Eager.compile("", (int) weights.size()).find_function(new QualifiedName(model.replace('-', '_')));
        EagerGraph eager = EagerGraph.of(graph, x);
        EagerGraph.Given given = eager.given();
        Tensor train = Eager.longs(split.train());
        Tensor validation = Eager.longs(split.validation());
        Tensor trainLabels = eager.labels().index_select(0, train);
        Tensor validationLabels = eager.labels().index_select(0, validation);
        AdamOptions rate = new AdamOptions(1e-3);
        Adam adam = new Adam(weights, rate);
        double[] milliseconds = new double[epochs];
        for (int epoch = 0; epoch < epochs; epoch++) {
            long start = System.nanoTime();
            try (PointerScope scope = new PointerScope()) {
                adam.zero_grad();
                Tensor logits = given.run(network, weights, true);
                torch.cross_entropy_loss(logits.index_select(0, train), trainLabels)
                        .backward();
                adam.step();
            }
            try (PointerScope scope = new PointerScope();
                    NoGradGuard off = new NoGradGuard()) {
                Tensor logits = given.run(network, weights, false);
                logits.index_select(0, validation)
                        .argmax(new org.bytedeco.pytorch.LongOptional(1), false)
                        .eq(validationLabels)
                        .sum()
                        .item_long();
            }
            milliseconds[epoch] = (System.nanoTime() - start) / 1e6;
        }
        System.out.printf(
                "{\"model\": \"%s\", \"hidden\": %d, \"nodes\": %d, \"threads\": %d, \"epoch_ms\": %.1f}%n",
                model, hidden, graph.nodes(), threads, Measure.median(Arrays.copyOfRange(milliseconds, 2, epochs)));
        return 0;
    }
}
