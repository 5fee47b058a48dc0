// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.matrix.SparseMatrix;
import org.jspecify.annotations.Nullable;

/**
 * A fixed sparse matrix S [rows, columns] that is applied to dense tensors: {@code S x}, with a gradient for x. A
 * normalised adjacency gives the weighted neighbourhood sum; a bag-of-words matrix applied to a weight matrix gives the
 * first linear layer. The transposed matrix is made when a gradient is first asked for.
 */
public final class SparseOperator {

    private final SparseMatrix matrix;
    private final Arena arena;
    private final Weighted forward;
    /** As neighbourhood sums are where there are no edges. */
    private final boolean isIdentity;

    private @Nullable Weighted backward;
    private @Nullable Tensor transposition;

    /** The native copy of one orientation. */
    private record Weighted(Bags bags, Tensor values) {

        static Weighted of(SparseMatrix matrix, Arena arena) {
            return Scope.run(() -> new Weighted(
                    Bags.of(matrix, arena), arena.own(Tensor.of(matrix.values(), matrix.values().length))));
        }

        Tensor apply(Tensor x) {
            return bags.sum(x, values);
        }
    }

    private SparseOperator(SparseMatrix matrix, Arena arena) {
        this.matrix = matrix;
        this.arena = arena;
        this.forward = Weighted.of(matrix, arena);
        this.isIdentity = matrix.isIdentity();
    }

    /** The native copy of a matrix; the arena owns it. */
    public static SparseOperator of(SparseMatrix matrix, Arena arena) {
        return new SparseOperator(matrix, arena);
    }

    public int rows() {
        return matrix.rows();
    }

    /** {@code S x}: [columns, d] to [rows, d]. Row i is the sum of {@code S_ij x_j}; an empty row gives zeros. May be x itself. */
    public Tensor apply(Tensor x) {
        if (isIdentity) {
            return x;
        }
        Tensor sum = Gradients.off(() -> forward.apply(x));
        return CustomGradient.attach(sum, gradient -> new Tensor[] {backward().apply(gradient)}, x);
    }

    /** The same with some of the stored entries dropped. */
    public Tensor apply(Tensor x, Dropout dropout) {
        Tensor values = Gradients.off(() -> dropout.apply(forward.values.copy()));
        Tensor sum = Gradients.off(() -> forward.bags.sum(x, values));
        if (!CustomGradient.wanted(x)) {
            return sum;
        }
        CustomGradient.save(values);
        return CustomGradient.attach(
                sum, gradient -> new Tensor[] {backward().bags.sum(gradient, values.select(transposition()))}, x);
    }

    private Tensor transposition() {
        if (transposition == null) {
            transposition = Scope.run(() -> arena.own(Tensor.of(matrix.transposition())));
        }
        return transposition;
    }

    private Weighted backward() {
        if (backward == null) {
            backward = Weighted.of(matrix.transposed(), arena);
        }
        return backward;
    }
}
