// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Tensor;

/** Losses of Dirichlet distributions, one per row: concentrations [rows, classes] to [rows]. */
public final class Dirichlet {

    /** From this total on the entropy is approximated, where the exact form would cancel. */
    private static final double LARGE = 1e4;

    private Dirichlet() {}

    /** The expected cross-entropy of the labels: {@code psi(alpha_0) - psi(alpha_y)}. */
    public static Tensor expectedCrossEntropy(Tensor alpha, Tensor labels) {
        return alpha.sumOverColumns().digamma().minus(alpha.atLabels(labels).digamma());
    }

    public static Tensor entropy(Tensor alpha) {
        int classes = alpha.columns();
        Tensor total = alpha.sumOverColumns();
        Tensor isLarge = total.isAtLeast(LARGE);
        Tensor small = alpha.clamp(0, LARGE);
        Tensor smallTotal = small.sumOverColumns();
        Tensor exact = small.logGamma()
                .sumOverColumns()
                .minus(smallTotal.logGamma())
                .plus(smallTotal.plus(-classes).times(smallTotal.digamma()))
                .minus(small.plus(-1).times(small.digamma()).sumOverColumns());
        Tensor approximate = alpha.log()
                .sumOverColumns()
                .times(0.5)
                .minus(total.log().times(classes - 0.5))
                .plus(0.5 * (classes - 1) * (1 + Math.log(2 * Math.PI)));
        return exact.minus(exact.times(isLarge)).plus(approximate.times(isLarge));
    }

    /** {@code KL(Dir(alpha) || Dir(prior))}. */
    public static Tensor divergence(Tensor alpha, Tensor prior) {
        Tensor total = alpha.sumOverColumns();
        Tensor expected = alpha.digamma().minus(total.digamma().reshape(total.rows(), 1));
        return total.logGamma()
                .minus(alpha.logGamma().sumOverColumns())
                .minus(prior.sumOverColumns().logGamma())
                .plus(prior.logGamma().sumOverColumns())
                .plus(alpha.minus(prior).times(expected).sumOverColumns());
    }

    /** The expected squared error of the labels: {@code sum_c (y_c - p_c)^2 + p_c (1 - p_c) / (alpha_0 + 1)}. */
    public static Tensor expectedSquaredError(Tensor alpha, Tensor labels) {
        Tensor total = alpha.sumOverColumns().reshape(alpha.rows(), 1);
        Tensor mean = alpha.over(total);
        Tensor variance = mean.minus(mean.times(mean)).over(total.plus(1)).sumOverColumns();
        // sum (y - p)^2 = sum p^2 - 2 p_y + 1
        Tensor bias =
                mean.squaredRowNorms().minus(mean.atLabels(labels).times(2)).plus(1);
        return bias.plus(variance);
    }
}
