// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;

/** The equations of an architecture with its parameters in place. */
public interface Network {

    /**
     * The equations, stage by stage.
     *
     * @param dropout of this pass; {@link Dropout#OFF} for evaluation
     */
    Pass pass(Dropout dropout);

    /**
     * One pass.
     *
     * @param flow the graph, towards the nodes that are asked for
     * @param dropout {@link Dropout#OFF} for evaluation
     * @param states is told every hidden state in order, for as many nodes as it was computed for
     * @return [target nodes, classes]
     */
    default Tensor logits(MessageFlow flow, Dropout dropout, StateListener states) {
        Pass pass = pass(dropout);
        Held held = Held.keep(() -> pass.input(flow.features(), states));
        for (int l = 1; l <= layers(); l++) {
            Held now = held;
            int number = l;
            held = Held.keep(() -> pass.round(number, now, flow.round(number), states));
        }
        return pass.output(held, states);
    }

    /**
     * The same network for many passes over one flow: may have computed already what dropout does not touch.
     *
     * @param arena owns what was computed
     */
    default Network prepared(MessageFlow flow, Arena arena) {
        return this;
    }

    /** Rounds of message passing, which a {@link MessageFlow} must be made for. */
    int layers();

    /** Looks at the labels of the training nodes before training begins. */
    default void observe(int[] trainingLabels) {}

    /** How a parameter is to be moved. */
    default Adam.Moved moved(String name, Tensor parameter, TrainingOptions training) {
        return new Adam.Moved(parameter, training.learningRate(), training.weightDecay());
    }

    /** Epochs before the first in which only some parameters move. */
    default int warmUpEpochs() {
        return 0;
    }

    /** Whether a parameter moves in those epochs. */
    default boolean movesInWarmUp(String name) {
        return false;
    }

    /** Is told hidden states. Nobody changes the numbers of a state after it was told: it may be kept instead of being copied. */
    @FunctionalInterface
    interface StateListener {

        /** Looks at no state. */
        StateListener NONE = (name, values) -> {};

        /** Takes one hidden state, [nodes, width], with the name that {@link Forward.State} gives it. */
        void state(String name, Tensor values);
    }
}
