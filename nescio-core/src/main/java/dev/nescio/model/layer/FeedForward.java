// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;

/** The module after every aggregation: {@code dropout(linear(gelu(dropout(linear(x)))))}. */
public final class FeedForward {

    private final Linear first;
    private final Linear second;

    public FeedForward(Weights weights, String name, int inputs, int inner, int outputs) {
        this.first = new Linear(weights, name + ".first", inputs, inner);
        this.second = new Linear(weights, name + ".second", inner, outputs);
    }

    public Tensor apply(Tensor x, Dropout dropout) {
        return behindFirst(first.apply(x), dropout);
    }

    /** Of two parts side by side. */
    public Tensor apply(Tensor left, Tensor right, Dropout dropout) {
        return behindFirst(first.apply(left, right), dropout);
    }

    private Tensor behindFirst(Tensor inner, Dropout dropout) {
        return dropout.apply(second.apply(dropout.applyThenGelu(inner)));
    }
}
