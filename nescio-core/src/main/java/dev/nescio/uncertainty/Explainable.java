// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

/** A fitted estimator that can say why a node has its score. */
public interface Explainable extends FittedEstimator {

    Explanation explain(Evidence evidence, int node);

    /** Whether it really can: one that is made from another can if that one can. */
    default boolean isExplainable() {
        return true;
    }
}
