// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.tensor.Engine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * The work of {@link EpochBenchmark} in plain operations of the libtorch that ships with Nescio, none of them ours: what PyTorch of
 * the same version would do, without Python. The optimisations of TorchScript are off.
 */
@CommandLine.Command(name = "eager", mixinStandardHelpOptions = true)
final class EagerBenchmark implements Callable<Integer> {

    private static final String SOURCE = """
            def feed_forward(x, w: List[Tensor], at: int, train: bool):
                x = torch.gelu(torch.dropout(torch.addmm(w[at + 1], x, w[at]), 0.2, train))
                return torch.dropout(torch.addmm(w[at + 3], x, w[at + 2]), 0.2, train)

            def norm(x, w: List[Tensor], at: int):
                return torch.layer_norm(x, [x.size(1)], w[at], w[at + 1])

            def res_gcn(x, adjacency, source, target, train: bool, WEIGHTS):
                w = [WEIGHTS]
                h = torch.gelu(torch.dropout(torch.addmm(w[1], x, w[0]), 0.2, train))
                for layer in range(2):
                    at = 2 + 6 * layer
                    h = h + feed_forward(torch._sparse_mm(adjacency, norm(h, w, at)), w, at + 2, train)
                return torch.addmm(w[17], norm(h, w, 14), w[16])

            def res_gat_sep(x, adjacency, source, target, train: bool, WEIGHTS):
                w = [WEIGHTS]
                heads = 8
                h = torch.gelu(torch.dropout(torch.addmm(w[1], x, w[0]), 0.2, train))
                n = h.size(0)
                for layer in range(2):
                    at = 2 + 11 * layer
                    q = torch.addmm(w[at + 3], norm(h, w, at), w[at + 2])
                    e = torch.leaky_relu(torch.addmm(w[at + 5], q, w[at + 4]).index_select(0, source)
                                         + torch.mm(q, w[at + 6]).index_select(0, target), 0.2)
                    index = target.unsqueeze(1).expand_as(e)
                    top = torch.full([n, heads], float('-inf')).scatter_reduce(0, index, e.detach(), "amax")
                    share = (e - top.index_select(0, target)).exp()
                    total = torch.zeros([n, heads]).index_add(0, target, share).index_select(0, target)
                    share = share / total.clamp_min(1e-16)
                    message = (q.view([n, heads, -1]).index_select(0, source) * share.unsqueeze(2)).flatten(1)
                    heard = torch.zeros_like(q).index_add(0, target, message)
                    h = h + feed_forward(torch.cat([q, heard], 1), w, at + 7, train)
                return torch.addmm(w[27], norm(h, w, 24), w[26])
            """;

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
        Engine.useThreads(threads);
        // The products of libtorch itself need the threads of OpenBLAS; ours do not.
        org.bytedeco.openblas.global.openblas_nolapack.blas_set_num_threads(threads);
        torch.setGraphExecutorOptimize(false);
        Graph graph = npz == null ? RandomGraph.make(nodes, edges, features, classes) : GraphFile.read(npz);
        Split split = npz == null ? EpochBenchmark.randomSplit(nodes) : graph.split("0");
        DenseMatrix x =
                graph.features() instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) graph.features();
        TensorVector weights = weights(x.columns(), graph.classes().size());
        String names =
                IntStream.range(0, (int) weights.size()).mapToObj(i -> "w" + i).collect(Collectors.joining(", "));
        CompilationUnit unit = torch.compile(SOURCE.replace("WEIGHTS", names));
        Function network = unit.find_function(new QualifiedName(model.replace('-', '_')));
        Given given = Given.of(graph, x);
        Tensor train = longs(split.train());
        Tensor validation = longs(split.validation());
        Tensor trainLabels = given.labels.index_select(0, train);
        Tensor validationLabels = given.labels.index_select(0, validation);
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

    /** What a pass is given but for its weights. */
    private record Given(Tensor x, Tensor adjacency, Tensor source, Tensor target, Tensor labels) {

        static Given of(Graph graph, DenseMatrix x) {
            int n = graph.nodes();
            int[] rows = graph.adjacency().rowOfEntry();
            int[] columns = graph.adjacency().neighbours();
            long[] targets = new long[rows.length];
            long[] sources = new long[rows.length];
            long[] places = new long[2 * (rows.length + n)];
            float[] values = new float[rows.length + n];
            int[] degrees = new int[n];
            Arrays.fill(degrees, 1);
            Arrays.stream(rows).forEach(row -> degrees[row]++);
            for (int i = 0; i < values.length; i++) {
                int row = i < rows.length ? rows[i] : i - rows.length;
                int column = i < rows.length ? columns[i] : row;
                places[i] = row;
                places[values.length + i] = column;
                values[i] = (float) (1 / Math.sqrt((double) degrees[row] * degrees[column]));
                if (i < rows.length) {
                    targets[i] = row;
                    sources[i] = column;
                }
            }
            long[] labels = new long[n];
            Arrays.setAll(labels, v -> Math.max(0, graph.label(v)));
            Tensor adjacency = torch.sparse_coo_tensor(
                            longs(places).view(2, values.length), floats(values), new long[] {n, n})
                    .coalesce();
            return new Given(
                    floats(x.values()).view(x.rows(), x.columns()),
                    adjacency,
                    longs(sources),
                    longs(targets),
                    longs(labels));
        }

        Tensor run(Function network, TensorVector weights, boolean isTraining) {
            IValueVector arguments = new IValueVector(
                    new IValue(x),
                    new IValue(adjacency),
                    new IValue(source),
                    new IValue(target),
                    new IValue(isTraining));
            for (long i = 0; i < weights.size(); i++) {
                arguments.push_back(new IValue(weights.get(i)));
            }
            return network.apply(arguments).toTensor();
        }
    }

    /** In the order in which the source reads them. */
    private TensorVector weights(int inputs, int outputs) {
        TensorVector weights = new TensorVector();
        linear(weights, inputs, hidden);
        for (int layer = 0; layer < 2; layer++) {
            norm(weights);
            boolean isGat = model.equals("res-gat-sep");
            if (isGat) {
                linear(weights, hidden, hidden);
                linear(weights, hidden, 8);
                weights.push_back(drawn(hidden, 8));
            }
            linear(weights, isGat ? 2 * hidden : hidden, hidden);
            linear(weights, hidden, hidden);
        }
        norm(weights);
        linear(weights, hidden, outputs);
        return weights;
    }

    private static void linear(TensorVector weights, int inputs, int outputs) {
        weights.push_back(drawn(inputs, outputs));
        weights.push_back(torch.zeros(outputs).requires_grad_(true));
    }

    private void norm(TensorVector weights) {
        weights.push_back(torch.ones(hidden).requires_grad_(true));
        weights.push_back(torch.zeros(hidden).requires_grad_(true));
    }

    private static Tensor drawn(int inputs, int outputs) {
        return torch.rand(inputs, outputs)
                .sub(new Scalar(0.5))
                .mul(new Scalar(2 / Math.sqrt(inputs)))
                .requires_grad_(true);
    }

    private static Tensor longs(NodeSet nodes) {
        return longs(nodes.stream().asLongStream().toArray());
    }

    private static Tensor longs(long... values) {
        Tensor tensor = torch.empty(values.length).toType(torch.ScalarType.Long);
        tensor.data_ptr_long().put(values);
        return tensor;
    }

    private static Tensor floats(float... values) {
        Tensor tensor = torch.empty(values.length);
        tensor.data_ptr_float().put(values);
        return tensor;
    }
}
