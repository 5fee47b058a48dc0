// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.global.torch;

/** Operators of libtorch that have no Java binding, reached through TorchScript. */
final class Script {

    private static final String SOURCE = """
            def edge_weight_gradient(g, x, indices, pointers, rows):
                return torch._embedding_bag_per_sample_weights_backward(g, x, indices, pointers, rows, 0)
            """;

    /** Compiled on first use. */
    private static final class Holder {
        static final CompilationUnit UNIT = retained(torch.compile(SOURCE));
        static final Function EDGE_WEIGHT_GRADIENT = function("edge_weight_gradient");

        private static CompilationUnit retained(CompilationUnit unit) {
            unit.retainReference();
            return unit;
        }

        private static Function function(String name) {
            Function function = UNIT.find_function(new QualifiedName(name));
            function.retainReference();
            return function;
        }
    }

    private Script() {}

    /** For every edge the inner product of the gradient of its row and of the x of its column. */
    static Tensor edgeWeightGradient(Tensor gradient, Tensor x, Tensor indices, Tensor pointers, Tensor rows) {
        IValueVector arguments = new IValueVector(
                new IValue(gradient.raw()),
                new IValue(x.raw()),
                new IValue(indices.raw()),
                new IValue(pointers.raw()),
                new IValue(rows.raw()));
        return Tensor.of(Holder.EDGE_WEIGHT_GRADIENT.apply(arguments).toTensor());
    }
}
