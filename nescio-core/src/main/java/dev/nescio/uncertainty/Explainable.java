// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

/** A fitted estimator that can say why a node has its score. */
public interface Explainable extends FittedEstimator {

    /** Explains the score of one node, by its row in the evidence. */
    Explanation explain(Evidence evidence, int node);

    /** Whether it really can: one that is made from another can if that one can. */
    default boolean isExplainable() {
        return true;
    }
}
