package dev.nescio.uncertainty;

import dev.nescio.matrix.DenseMatrix;

/** The logit energy {@code -log sum_c exp(l_c)} of a classifier (Liu et al. 2020): high where no class has evidence. */
public final class Energy {

    private Energy() {}

    /** One energy per row. */
    public static double[] of(DenseMatrix logits) {
        double[] energies = new double[logits.rows()];
        for (int i = 0; i < energies.length; i++) {
            energies[i] = -logSumExp(logits.values(), i * logits.columns(), (i + 1) * logits.columns());
        }
        return energies;
    }

    /** Shifted by the maximum, so that it never overflows. */
    static double logSumExp(float[] values, int from, int to) {
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = from; i < to; i++) {
            highest = Math.max(highest, values[i]);
        }
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += Math.exp(values[i] - highest);
        }
        return highest + Math.log(sum);
    }
}
