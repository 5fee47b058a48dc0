package dev.nescio.model;

import dev.nescio.tensor.Tensor;

/** {@code x W + b}: [rows, inputs] to [rows, outputs]. */
final class Linear {

    private final Tensor weight;
    private final Tensor bias;

    Linear(Weights weights, String name, int inputs, int outputs) {
        this.weight = weights.get(name + ".weight", Init.linear(inputs), inputs, outputs);
        this.bias = weights.get(name + ".bias", Init.linear(inputs), outputs);
    }

    Tensor apply(Tensor x) {
        return x.product(weight, bias);
    }

    Tensor apply(FeatureTensor x) {
        return x.product(weight, bias);
    }
}
