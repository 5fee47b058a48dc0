// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.NodeSet;
import dev.nescio.tensor.Engine;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Networks in plain operations of the libtorch that ships with Nescio, none of them ours, in TorchScript without its optimisations:
 * what PyTorch of the same version would do, without Python.
 */
final class Eager {

    private static final String NETWORKS = """
            def feed_forward(x, w: List[Tensor], at: int, train: bool):
                x = torch.gelu(torch.dropout(torch.addmm(w[at + 1], x, w[at]), 0.2, train))
                return torch.dropout(torch.addmm(w[at + 3], x, w[at + 2]), 0.2, train)

            def norm(x, w: List[Tensor], at: int):
                return torch.layer_norm(x, [x.size(1)], w[at], w[at + 1])

            def res_gcn_states(x, adjacency, w: List[Tensor], train: bool):
                h = torch.gelu(torch.dropout(torch.addmm(w[1], x, w[0]), 0.2, train))
                states = [h]
                for layer in range(2):
                    at = 2 + 6 * layer
                    h = h + feed_forward(torch._sparse_mm(adjacency, norm(h, w, at)), w, at + 2, train)
                    states.append(h)
                return states

            def res_gcn_logits(h, w: List[Tensor]):
                return torch.addmm(w[17], norm(h, w, 14), w[16])

            def res_gcn(x, adjacency, source, target, train: bool, WEIGHTS):
                w = [WEIGHTS]
                return res_gcn_logits(res_gcn_states(x, adjacency, w, train)[2], w)

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

    private Eager() {}

    static void useThreads(int threads) {
        Engine.useThreads(threads);
        // The products of libtorch itself need the threads of OpenBLAS; ours do not.
        openblas_nolapack.blas_set_num_threads(threads);
        torch.setGraphExecutorOptimize(false);
    }

    /**
     * The networks and whatever else is given.
     *
     * @param weights as many tensors stand where the source says WEIGHTS
     */
    static CompilationUnit compile(String more, int weights) {
        String names = IntStream.range(0, weights).mapToObj(i -> "w" + i).collect(Collectors.joining(", "));
        return torch.compile((NETWORKS + more).replace("WEIGHTS", names));
    }

    /** In the order in which the source reads them. */
    static TensorVector weights(String model, int inputs, int hidden, int outputs) {
        TensorVector weights = new TensorVector();
        linear(weights, inputs, hidden);
        for (int layer = 0; layer < 2; layer++) {
            norm(weights, hidden);
            boolean isGat = model.equals("res-gat-sep");
            if (isGat) {
                linear(weights, hidden, hidden);
                linear(weights, hidden, 8);
                weights.push_back(drawn(hidden, 8));
            }
            linear(weights, isGat ? 2 * hidden : hidden, hidden);
            linear(weights, hidden, hidden);
        }
        norm(weights, hidden);
        linear(weights, hidden, outputs);
        return weights;
    }

    private static void linear(TensorVector weights, int inputs, int outputs) {
        weights.push_back(drawn(inputs, outputs));
        weights.push_back(torch.zeros(outputs).requires_grad_(true));
    }

    private static void norm(TensorVector weights, int hidden) {
        weights.push_back(torch.ones(hidden).requires_grad_(true));
        weights.push_back(torch.zeros(hidden).requires_grad_(true));
    }

    private static Tensor drawn(int inputs, int outputs) {
        return torch.rand(inputs, outputs)
                .sub(new Scalar(0.5))
                .mul(new Scalar(2 / Math.sqrt(inputs)))
                .requires_grad_(true);
    }

    static Tensor longs(NodeSet nodes) {
        return longs(nodes.stream().asLongStream().toArray());
    }

    static Tensor longs(long... values) {
        Tensor tensor = torch.empty(values.length).toType(torch.ScalarType.Long);
        tensor.data_ptr_long().put(values);
        return tensor;
    }

    static Tensor floats(float... values) {
        Tensor tensor = torch.empty(values.length);
        tensor.data_ptr_float().put(values);
        return tensor;
    }
}
