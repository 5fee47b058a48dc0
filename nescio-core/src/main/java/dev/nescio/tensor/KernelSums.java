// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import org.bytedeco.pytorch.Scalar;

/** Sums of exponentials of matrix products, {@code sum over j of exp(left_i . right_j)}, a block at a time that stays in the cache. */
public final class KernelSums {

    private KernelSums() {}

    /**
     * For every row of the left factor; exponents must be so small that nothing overflows.
     *
     * @param left [rows, d]
     * @param right [columns, d]
     * @param leftOut entries that do not count, by row * columns + column
     */
    public static double[] of(Tensor left, Tensor right, int[] leftOut) {
        return Tensor.of(exponents(left, right, leftOut).exp_().sum(1)).toDoubles();
    }

    /** The logarithms of the sums, however small these are. */
    public static double[] logarithms(Tensor left, Tensor right, int[] leftOut) {
        return Tensor.of(exponents(left, right, leftOut).logsumexp(1)).toDoubles();
    }

    private static org.bytedeco.pytorch.Tensor exponents(Tensor left, Tensor right, int[] leftOut) {
        org.bytedeco.pytorch.Tensor exponents = left.raw().mm(right.raw().t());
        if (leftOut.length > 0) {
            exponents.view(-1).index_fill_(0, Tensor.labels(leftOut).raw(), new Scalar(Float.NEGATIVE_INFINITY));
        }
        return exponents;
    }
}
