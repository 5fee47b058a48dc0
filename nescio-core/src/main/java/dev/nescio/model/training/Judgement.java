// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.model.TrainingOptions;

/**
 * How the validation nodes do.
 *
 * @param accuracy -1 before there is any
 * @param loss mean cross-entropy
 */
record Judgement(double accuracy, double loss) {

    static final Judgement NONE = new Judgement(-1, Double.NaN);

    /** Larger is better. */
    double score(TrainingOptions.Stopping stopping) {
        return stopping == TrainingOptions.Stopping.ACCURACY ? accuracy : -loss;
    }

    /** Says how the validation nodes do with the weights as they are now, exactly. */
    interface Judge extends AutoCloseable {

        Judgement judge();

        @Override
        void close();
    }
}
