// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.problem.BadConfiguration;

/** What architectures share whose modules attend to neighbours. */
public interface Attentive extends Architecture {

    /** Number of attention heads, from 1 to 4096; 8 by default. The hidden width must be a multiple of it. */
    Option<Integer> HEADS =
            Option.of("heads", Kind.count(4096), 8, "Number of attention heads; must divide the hidden width.");

    /** Measured: numbers of edges, scores and shares of both sides of an epoch. */
    long BYTES_PER_EDGE_AND_HEAD = 200;

    @Override
    default int states(ModelOptions options) {
        return options.layers() + 1;
    }

    @Override
    default void require(ModelOptions options) {
        Architecture.super.require(options);
        int heads = options.get(HEADS);
        if (options.hidden() % heads != 0) {
            throw new BadConfiguration(
                    "the width " + options.hidden() + " cannot be divided among " + heads + " heads");
        }
    }

    @Override
    default long stepBytes(ModelOptions options, Shape shape, long nodes, long edges) {
        return Architecture.super.stepBytes(options, shape, nodes, edges)
                + BYTES_PER_EDGE_AND_HEAD * edges * options.get(HEADS);
    }
}
