// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** A graph as tensors of libtorch; its operators are sparse matrices. */
record EagerGraph(Tensor x, int[] rows, int[] columns, Tensor labels) {

    static EagerGraph of(Graph graph, DenseMatrix x) {
        long[] labels = new long[graph.nodes()];
        Arrays.setAll(labels, v -> Math.max(0, graph.label(v)));
        return new EagerGraph(
                Eager.floats(x.values()).view(x.rows(), x.columns()),
                graph.adjacency().rowOfEntry(),
                graph.adjacency().neighbours(),
                Eager.longs(labels));
    }

    private int nodes() {
        return (int) x.size(0);
    }

    Tensor source() {
        return Eager.longs(Arrays.stream(columns).asLongStream().toArray());
    }

    Tensor target() {
        return Eager.longs(Arrays.stream(rows).asLongStream().toArray());
    }

    /** With loops, divided by the roots of both degrees. */
    Tensor adjacency() {
        int[] degrees = degrees();
        return operator(true, true, i -> 1 / Math.sqrt((1.0 + degrees[row(i)]) * (1.0 + degrees[column(i)])));
    }

    /** The mean of a node and its neighbours. */
    Tensor mean() {
        int[] degrees = degrees();
        return operator(true, true, i -> 1 / (1.0 + degrees[row(i)]));
    }

    /** The mean of the neighbours. */
    Tensor neighbours() {
        int[] degrees = degrees();
        return operator(true, false, i -> 1.0 / Math.max(1, degrees[row(i)]));
    }

    /** Loops and nothing else. */
    Tensor alone() {
        return operator(false, true, i -> 1);
    }

    private int[] degrees() {
        int[] degrees = new int[nodes()];
        Arrays.stream(rows).forEach(row -> degrees[row]++);
        return degrees;
    }

    /** Entries are counted through edges first, loops behind them. */
    private int row(int entry) {
        return entry < rows.length ? rows[entry] : entry - rows.length;
    }

    private int column(int entry) {
        return entry < rows.length ? columns[entry] : entry - rows.length;
    }

    private Tensor operator(boolean hasEdges, boolean hasLoops, IntToDoubleFunction value) {
        int[] entries = IntStream.range(hasEdges ? 0 : rows.length, hasLoops ? rows.length + nodes() : rows.length)
                .toArray();
        long[] places = new long[2 * entries.length];
        float[] values = new float[entries.length];
        for (int i = 0; i < entries.length; i++) {
            places[i] = row(entries[i]);
            places[entries.length + i] = column(entries[i]);
            values[i] = (float) value.applyAsDouble(entries[i]);
        }
        return torch.sparse_coo_tensor(
                        Eager.longs(places).view(2, entries.length), Eager.floats(values), new long[] {nodes(), nodes()
                        })
                .coalesce();
    }

    /** What a network needs to be called. */
    record Given(Tensor x, Tensor adjacency, Tensor source, Tensor target) {

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

    Given given() {
        return new Given(x, adjacency(), source(), target());
    }
}
