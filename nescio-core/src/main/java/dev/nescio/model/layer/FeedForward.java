// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;
import java.util.List;

/** The module after every aggregation: {@code dropout(linear(gelu(dropout(linear(x)))))}. */
public final class FeedForward {

    private final Linear first;
    private final Linear second;

    public FeedForward(Weights weights, String name, int inputs, int inner, int outputs) {
        this.first = new Linear(weights, name + ".first", inputs, inner);
        this.second = new Linear(weights, name + ".second", inner, outputs);
    }

    public Tensor apply(Tensor x, Dropout dropout) {
        return apply(List.of(x), dropout);
    }

    /** Of parts side by side, each [rows, its width]. */
    public Tensor apply(List<Tensor> parts, Dropout dropout) {
        return second.apply(List.of(first.applyThenGelu(parts, dropout)), dropout);
    }
}
