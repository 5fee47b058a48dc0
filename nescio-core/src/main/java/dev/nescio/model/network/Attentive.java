package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.layer.Attention;

/** What architectures share whose modules attend to neighbours. */
public interface Attentive extends Architecture {

    @Override
    default int states(ModelOptions options) {
        return options.layers() + 1;
    }

    @Override
    default void require(ModelOptions options) {
        Architecture.super.require(options);
        Attention.requireHeads(options);
    }

    @Override
    default long stepBytes(ModelOptions options, Shape shape, long nodes, long edges) {
        return Architecture.super.stepBytes(options, shape, nodes, edges) + Attention.bytes(options, edges);
    }
}
