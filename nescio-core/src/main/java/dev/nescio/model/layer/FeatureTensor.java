// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.SparseOperator;
import dev.nescio.tensor.Tensor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Node features in native memory. Sparse features stay sparse: only stored entries are multiplied. */
public final class FeatureTensor {

    private final @Nullable SparseOperator sparse;
    private final @Nullable Tensor dense;
    private final Matrix matrix;

    private FeatureTensor(Matrix matrix, @Nullable SparseOperator sparse, @Nullable Tensor dense) {
        this.matrix = matrix;
        this.sparse = sparse;
        this.dense = dense;
    }

    public static FeatureTensor of(Matrix features, Arena arena) {
        return features instanceof SparseMatrix matrix
                ? new FeatureTensor(features, SparseOperator.of(matrix, arena), null)
                : new FeatureTensor(features, null, Scope.run(() -> arena.own(Tensor.of((DenseMatrix) features))));
    }

    /** Where features are not dense, they are sparse. */
    private SparseOperator sparse() {
        return Objects.requireNonNull(sparse);
    }

    /** {@code X W}: [rows, outputs]. */
    public Tensor product(Tensor weight) {
        return dense != null ? dense.product(weight) : sparse().apply(weight);
    }

    /** {@code X W + b}: [rows, outputs]. */
    public Tensor product(Tensor weight, Tensor bias) {
        return dense != null
                ? dense.product(weight, bias)
                : sparse().apply(weight).plus(bias);
    }

    /** {@code gelu(dropout(X W + b))}: [rows, outputs]. */
    public Tensor productThenGelu(Tensor weight, Tensor bias, Dropout dropout) {
        return dense != null
                ? dense.productThenGelu(weight, bias, dropout)
                : dropout.applyThenGelu(sparse().apply(weight).plus(bias));
    }

    /** {@code dropout(X) W + b}: [rows, outputs]. */
    public Tensor product(Tensor weight, Tensor bias, Dropout dropout) {
        if (dropout == Dropout.OFF) {
            return product(weight, bias);
        }
        return dense != null
                ? dropout.apply(dense.copy()).product(weight, bias)
                : sparse().apply(weight, dropout).plus(bias);
    }

    /** The matrix itself, every entry. */
    public Tensor toDense() {
        return dense != null ? dense : Tensor.of(((SparseMatrix) matrix).toDense());
    }
}
