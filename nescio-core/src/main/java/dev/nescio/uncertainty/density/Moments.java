// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.tensor.TensorRows;

/** Mean and covariance of rows that come block by block, summed around a point near their mean so that few digits are lost. */
final class Moments {

    private final float[] near;
    private final double[] sums;
    private final double[] products;
    private long rows;

    /** @param near about the mean of what will come */
    Moments(float[] near) {
        this.near = near.clone();
        this.sums = new double[near.length];
        this.products = new double[near.length * near.length];
    }

    void add(DenseMatrix block) {
        rows += block.rows();
        Blocks.forEach(
                block.rows(),
                Blocks.ROWS,
                (from, count) -> Scope.run(() -> {
                    Tensor centred = TensorRows.of(block, from, count).minus(Tensor.of(near, near.length));
                    Pca.add(sums, centred.sumOverRows().toDoubles());
                    Pca.add(products, centred.lowerGram().toDoubles());
                }));
    }

    int columns() {
        return near.length;
    }

    float[] mean() {
        float[] mean = new float[near.length];
        for (int j = 0; j < mean.length; j++) {
            mean[j] = (float) (near[j] + sums[j] / rows);
        }
        return mean;
    }

    /** Summed over all rows, not divided; the lower triangle is what counts. */
    double[] scatter() {
        double[] scatter = products.clone();
        int d = near.length;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                scatter[i * d + j] -= sums[i] * sums[j] / rows;
            }
        }
        return scatter;
    }
}
