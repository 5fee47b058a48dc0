// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Tensor;

/** Normalises each row over its channels, then scales and shifts each channel. */
public final class LayerNorm {

    private final Tensor scale;
    private final Tensor shift;

    public LayerNorm(Weights weights, String name, int width) {
        this.scale = weights.get(name + ".scale", Init.constant(1), width);
        this.shift = weights.get(name + ".shift", Init.constant(0), width);
    }

    public Tensor apply(Tensor x) {
        return x.layerNorm(scale, shift);
    }
}
