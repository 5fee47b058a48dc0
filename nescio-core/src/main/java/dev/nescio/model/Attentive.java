package dev.nescio.model;

/** What architectures share whose modules attend to neighbours. */
interface Attentive extends Architecture {

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
