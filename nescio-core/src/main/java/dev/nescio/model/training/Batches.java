// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.model.Objective;
import dev.nescio.model.layer.MessageFlow;

/** What the steps of an epoch learn from. */
interface Batches extends AutoCloseable {

    /** Is told a batch; its flow may be gone when the call returns. */
    @FunctionalInterface
    interface Listener {

        /**
         * @param number from 0
         * @param share of the training nodes that are in it
         */
        void batch(int number, double share, Objective objective, MessageFlow flow);
    }

    /** Tells all batches of an epoch, one after the other; which they are depends on the number of the epoch alone. */
    void forEach(int epoch, Listener listener);

    @Override
    void close();
}
