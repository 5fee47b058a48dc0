package dev.nescio.model;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.SparseOperator;
import dev.nescio.tensor.Tensor;

/** Node features in native memory. Sparse features stay sparse: only stored entries are multiplied. */
public final class FeatureTensor {

    /** {@code X W}. */
    private interface Product {
        Tensor with(Tensor weight, Tensor bias);
    }

    private final Product product;

    private FeatureTensor(Product product) {
        this.product = product;
    }

    static FeatureTensor of(Matrix features, Arena arena) {
        if (features instanceof SparseMatrix sparse) {
            SparseOperator operator = SparseOperator.of(sparse, arena);
            return new FeatureTensor((weight, bias) -> operator.apply(weight).plus(bias));
        }
        Tensor dense = Scope.run(() -> arena.own(Tensor.of((DenseMatrix) features)));
        return new FeatureTensor(dense::product);
    }

    /** {@code X W + b}: [rows, outputs]. */
    Tensor product(Tensor weight, Tensor bias) {
        return product.with(weight, bias);
    }
}
