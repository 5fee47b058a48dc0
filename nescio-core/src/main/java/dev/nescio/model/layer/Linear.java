// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code x W + b}: [rows, inputs] to [rows, outputs]. */
public final class Linear {

    private final Tensor weight;
    private final Tensor bias;

    public Linear(Weights weights, String name, int inputs, int outputs) {
        this(weights, name, Init.linear(inputs), Init.linear(inputs), inputs, outputs);
    }

    private Linear(Weights weights, String name, Init weight, Init bias, int inputs, int outputs) {
        this.weight = weights.get(name + ".weight", weight, inputs, outputs);
        this.bias = weights.get(name + ".bias", bias, outputs);
    }

    /** Weights by Glorot's rule, biases zero. */
    public static Linear glorot(Weights weights, String name, int inputs, int outputs) {
        return new Linear(weights, name, Init.glorot(inputs, outputs), Init.constant(0), inputs, outputs);
    }

    /** Weights by a rule of their own. */
    public static Linear with(Init init, Weights weights, String name, int inputs, int outputs) {
        return new Linear(weights, name, init, Init.linear(inputs), inputs, outputs);
    }

    public Tensor apply(Tensor x) {
        return x.product(weight, bias);
    }

    /** {@code dropout((parts side by side) W + b) + plus}, the last where it is given. */
    public Tensor apply(List<Tensor> parts, Dropout dropout, @Nullable Tensor plus) {
        return Tensor.product(parts, weight, bias, dropout, plus);
    }

    /** {@code gelu(dropout((parts side by side) W + b))}. */
    public Tensor applyThenGelu(List<Tensor> parts, Dropout dropout) {
        return Tensor.productThenGelu(parts, weight, bias, dropout);
    }

    /** {@code gelu(dropout(x W + b))}. */
    public Tensor applyThenGelu(FeatureTensor x, Dropout dropout) {
        return x.productThenGelu(weight, bias, dropout);
    }

    /** {@code dropout(x) W + b}. */
    public Tensor apply(FeatureTensor x, Dropout dropout) {
        return x.product(weight, bias, dropout);
    }

    public Tensor apply(FeatureTensor x) {
        return x.product(weight, bias);
    }
}
