// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

/**
 * Sums that do not depend on the number of threads. libtorch cuts a sum that ends in one number into as many parts as there are
 * threads; here it is cut into blocks by its size alone. Sums per row or per column are the same for any number of threads as they are.
 */
final class Sums {

    /** Entries of a block; libtorch sums so few on one thread. */
    private static final long BLOCK = 1 << 14;

    private Sums() {}

    /** All entries, as a scalar. */
    static Tensor total(Tensor x) {
        return Tensor.of(total(x.raw()));
    }

    private static org.bytedeco.pytorch.Tensor total(org.bytedeco.pytorch.Tensor x) {
        long size = x.numel();
        if (size <= BLOCK) {
            return x.sum();
        }
        org.bytedeco.pytorch.Tensor flat = x.reshape(-1);
        long blocks = size / BLOCK;
        org.bytedeco.pytorch.Tensor perBlock =
                flat.narrow(0, 0, blocks * BLOCK).view(blocks, BLOCK).sum(1);
        org.bytedeco.pytorch.Tensor rest =
                flat.narrow(0, blocks * BLOCK, size - blocks * BLOCK).sum();
        return total(perBlock).add(rest);
    }

    /** Column sums. */
    static Tensor overRows(Tensor x) {
        return x.columns() == 1 ? total(x).reshape(1) : Tensor.of(x.raw().sum(0));
    }

    /** {@code x + number}, for one number with a gradient. */
    static Tensor plusNumber(Tensor x, Tensor number) {
        Tensor sum = Gradients.off(() -> Tensor.of(x.raw().add(number.raw())));
        int[] shape = number.shape();
        return CustomGradient.attach(
                sum, gradient -> new Tensor[] {gradient, total(gradient).reshape(shape)}, x, number);
    }

    /** {@code number * x}, for one number with a gradient. */
    static Tensor timesNumber(Tensor x, Tensor number) {
        Tensor product = Gradients.off(() -> Tensor.of(x.raw().mul(number.raw())));
        int[] shape = number.shape();
        Tensor factor = CustomGradient.save(number);
        Tensor values = CustomGradient.save(x);
        return CustomGradient.attach(
                product,
                gradient -> Gradients.off(() -> new Tensor[] {
                    Tensor.of(gradient.raw().mul(factor.raw())),
                    total(Tensor.of(gradient.raw().mul(values.raw()))).reshape(shape)
                }),
                x,
                number);
    }

    /** The sum of sums of blocks, in their order. */
    static Tensor inOrder(float[][] blocks, int columns) {
        double[] sums = new double[columns];
        for (float[] block : blocks) {
            for (int c = 0; c < columns; c++) {
                sums[c] += block[c];
            }
        }
        float[] rounded = new float[columns];
        for (int c = 0; c < columns; c++) {
            rounded[c] = (float) sums[c];
        }
        return Tensor.of(rounded, columns);
    }
}
