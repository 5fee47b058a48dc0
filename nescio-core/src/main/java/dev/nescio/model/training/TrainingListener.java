// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

/** Is told after every epoch how training goes. */
@FunctionalInterface
public interface TrainingListener {

    /** Ignores everything. */
    TrainingListener NONE = epoch -> {};

    /** Is told of a finished epoch by the thread that trains. May throw {@code Cancelled} to end the training there. */
    void epoch(Epoch epoch);

    /** Of an ensemble, whose networks are trained side by side and do not report epochs: so many are done. */
    default void trained(int networks, int total) {}

    /**
     * One epoch, counted from 1.
     *
     * @param loss mean cross-entropy of the training nodes, with dropout
     * @param accuracy of the validation nodes, without
     * @param bestEpoch the epoch of the best validation accuracy so far
     */
    record Epoch(int number, double loss, double accuracy, int bestEpoch, double bestAccuracy) {}

    /** What is being done now, when no epoch tells. */
    default void step(String what) {}
}
