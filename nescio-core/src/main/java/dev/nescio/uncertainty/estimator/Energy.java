// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.uncertainty.density.LogSumExp;

/** The logit energy {@code -log sum_c exp(l_c)} of a classifier (Liu et al. 2020): high where no class has evidence. */
public final class Energy {

    private Energy() {}

    /** One energy per row. */
    public static double[] of(DenseMatrix logits) {
        double[] energies = new double[logits.rows()];
        for (int i = 0; i < energies.length; i++) {
            energies[i] = -logSumExp(logits, i);
        }
        return energies;
    }

    /** {@code log sum_c exp(l_c)} of one row. */
    static double logSumExp(DenseMatrix logits, int row) {
        double[] values = new double[logits.columns()];
        for (int c = 0; c < values.length; c++) {
            values[c] = logits.get(row, c);
        }
        return LogSumExp.of(values);
    }
}
