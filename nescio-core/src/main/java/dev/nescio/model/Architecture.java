// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.tensor.Arena;
import java.util.List;

/** A kind of network, known by its name. Has no state. */
public interface Architecture {

    /** What there is to say about it. */
    About about();

    /** What the command line and saved models call it: {@code res-gcn}. */
    default String name() {
        return about().name;
    }

    /**
     * What there is to say about an architecture.
     *
     * @param name what the command line and saved models call it
     * @param summary what it is and when to use it, in one line
     * @param paper where it comes from
     * @param own options that only it has
     */
    record About(String name, String summary, String paper, List<Option<?>> own) {

        /** Lists the options that only this architecture has one by one; most have none. */
        public static About of(String name, String summary, String paper, Option<?>... own) {
            return new About(name, summary, paper, List.of(own));
        }
    }

    /** Everything that can be chosen. */
    default OptionGroup options() {
        return ModelOptions.COMMON.and(name(), about().own.toArray(Option<?>[]::new));
    }

    /** How many hidden states the network has. */
    int states(ModelOptions options);

    /** Whether {@link Forward#concentrations} are there. */
    default boolean isEvidential() {
        return false;
    }

    /** Whether passes differ even without dropout. */
    default boolean isBayesian() {
        return false;
    }

    /** The network with parameters from {@code weights}, drawn or stored. */
    Network network(Weights weights, Shape shape, ModelOptions options);

    /** Whether the loss looks at nodes without labels, too: then there are no batches of training nodes. */
    default boolean learnsFromAllNodes() {
        return false;
    }

    /** What training is to make small; the arena owns what it needs for that. */
    default Objective objective(Network network, Graph graph, Split split, TrainingOptions training, Arena arena) {
        return Objective.crossEntropy(graph, split.train(), arena);
    }

    /** Roughly what a training step holds besides features and edges, in bytes. */
    default long stepBytes(ModelOptions options, Shape shape, long nodes, long edges) {
        return 4 * nodes * options.hidden() * (8 + 10L * options.layers() * options.multiplier());
    }

    /** Refuses options that this architecture cannot have. */
    default void require(ModelOptions options) {
        options.in(options());
    }

    /** What the data ask of a network. */
    record Shape(int features, int classes) {}
}
