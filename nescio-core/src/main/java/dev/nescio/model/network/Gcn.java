// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.Weights;

/**
 * GCN: {@link Augmented} without residuals, whose module is the graph convolution of {@link ResGcn}.
 */
public final class Gcn implements Architecture {

    @Override
    public About about() {
        return About.of(
                "gcn",
                "graph convolution without residuals; a baseline for homophilic graphs",
                "Semi-Supervised Classification with Graph Convolutional Networks, ICLR 2017",
                Augmented.NORM);
    }

    @Override
    public int states(ModelOptions options) {
        return options.layers() + 1;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return Augmented.withoutResiduals(weights, shape, options, name -> ResGcn.convolution(weights, name, options));
    }
}
