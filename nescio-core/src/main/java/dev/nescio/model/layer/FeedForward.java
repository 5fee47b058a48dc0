// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The module after every aggregation: {@code dropout(linear(gelu(dropout(linear(x)))))}. */
public final class FeedForward {

    private final Linear first;
    private final Linear second;

    public FeedForward(Weights weights, String name, int inputs, int inner, int outputs) {
        this.first = new Linear(weights, name + ".first", inputs, inner);
        this.second = new Linear(weights, name + ".second", inner, outputs);
    }

    /**
     * Of parts side by side, each [rows, its width].
     *
     * @param plus what is added to the result; null for nothing
     */
    public Tensor apply(List<Tensor> parts, Dropout dropout, @Nullable Tensor plus) {
        return second.apply(List.of(first.applyThenGelu(parts, dropout)), dropout, plus);
    }
}
