// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import java.io.Serializable;

/**
 * A fitted estimator that compares nodes with rows of training nodes, and can do so with some of the rows at a time. What the parts say
 * is joined; the score is that of all rows together.
 */
public interface Divisible extends FittedEstimator {

    /** Whether it really can: one that is made from another can if that one can. */
    default boolean isDivisible() {
        return true;
    }

    /** How many training nodes it compares with. */
    int trainingRows();

    /** Bytes that their rows take, about. */
    long trainingBytes();

    /** How many rows a part must have. */
    int fewestRows();

    /** The same with the rows {@code from .. to - 1} alone; by itself its scores are those of a smaller training set. */
    Divisible part(int from, int to);

    /** What the rows say about all nodes; places of the evidence are those among the rows of this part. */
    Comparison compare(Evidence evidence);

    /** The scores by what all parts say; only those that belong to this estimator are understood. */
    double[] score(Comparison all);

    /** What some rows say about nodes. */
    interface Comparison extends Serializable {

        /** What they say together with other rows about the same nodes. */
        Comparison and(Comparison others);
    }
}
