// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.jspecify.annotations.Nullable;

/**
 * The backward pass of a product and its epilogue. Chunks of rows are worked on while they are in the cache: the gradient behind the
 * epilogue, its product with the right factor, and what the chunk adds to the gradients of the right factor and of the bias. These two
 * are sums over rows: blocks are summed by themselves and added up in their order.
 *
 * @param parts of the left factor, side by side, each [rows, its width]
 * @param right [inner, columns]
 * @param moves whether a gradient is wanted, for each of the parts
 */
record ProductBackward(
        List<Tensor> parts,
        Tensor right,
        Epilogue epilogue,
        List<Boolean> moves,
        boolean movesRight,
        boolean movesBias) {

    /** Of the parts of the left factor, of the right one and of the bias; null where none is wanted. */
    @Nullable
    Tensor[] gradients(Tensor gradient) {
        return Gradients.off(() -> {
            Tensor g = gradient.contiguous();
            int rows = g.rows();
            int blocks = Products.count(rows);
            @Nullable Tensor[] gradients = new Tensor[parts.size() + 2];
            for (int i = 0; i < parts.size(); i++) {
                gradients[i] =
                        moves.get(i) ? Products.empty(g, rows, parts.get(i).columns()) : null;
            }
            Tensor forRight = movesRight ? Products.empty(g, blocks * right.rows(), right.columns()) : null;
            float[][] forBias = movesBias ? new float[blocks][] : null;
            run(g, gradients, forRight, forBias);
            gradients[parts.size()] = forRight == null ? null : sum(forRight, blocks);
            gradients[parts.size() + 1] = forBias == null ? null : Sums.inOrder(perColumn(forBias), right.columns());
            return gradients;
        });
    }

    private void run(Tensor g, @Nullable Tensor[] forParts, @Nullable Tensor forRight, float @Nullable [][] forBias) {
        int columns = right.columns();
        List<PartProducts> products = products(g, forParts, forRight);
        int mostEntries = Math.min(Products.chunkRows(columns), g.rows()) * columns;
        boolean passes = epilogue.isConstant() && forBias == null;
        FloatPointer gradients = passes ? null : g.raw().data_ptr_float();
        Products.chunks(g.rows(), columns, (block, isFirst, from, count) -> {
            if (forBias != null && isFirst) {
                forBias[block] = epilogue.noSums();
            }
            FloatPointer behind = null;
            if (gradients != null) {
                behind = Scratch.ofThread().nativeRows(mostEntries);
                float[] sums = forBias == null ? null : forBias[block];
                epilogue.backward(gradients, behind, from, count, sums);
            }
            for (PartProducts part : products) {
                part.run(block, isFirst, from, count, behind);
            }
        });
    }

    private List<PartProducts> products(Tensor g, @Nullable Tensor[] forParts, @Nullable Tensor forRight) {
        List<PartProducts> products = new ArrayList<>();
        Tensor transposed = moves.contains(true) ? right.transposed().contiguous() : null;
        int offset = 0;
        for (int i = 0; i < parts.size(); i++) {
            Tensor part = parts.get(i);
            Tensor forPart = forParts[i];
            if (forPart != null) {
                WorkLog.product(part.rows(), part.columns(), right.columns(), false);
            }
            if (forRight != null) {
                WorkLog.product(part.columns(), right.columns(), part.rows(), true);
            }
            products.add(new PartProducts(
                    right,
                    part.columns(),
                    offset,
                    forPart == null || transposed == null ? null : Gemm.of(g, transposed, forPart),
                    forRight == null ? null : Gemm.ofTransposed(part, g, forRight)));
            offset += part.columns();
        }
        return products;
    }

    /**
     * What one part of the left factor takes part in.
     *
     * @param width of the part
     * @param offset of its first column among those of all parts
     */
    private record PartProducts(
            Tensor right,
            int width,
            int offset,
            @Nullable Gemm ofPart,
            @Nullable Gemm ofRight) {

        /** @param behind the gradients behind the epilogue, of these rows alone; null where they are those of the result */
        void run(int block, boolean isFirst, int from, int count, @Nullable FloatPointer behind) {
            int columns = right.columns();
            long at = behind == null ? (long) from * columns : 0;
            if (ofPart != null) {
                Gemm products = behind == null ? ofPart : ofPart.withLeft(behind);
                products.run(count, width, columns, at, offset, (long) from * width, false);
            }
            if (ofRight != null) {
                Gemm products = behind == null ? ofRight : ofRight.withRight(behind);
                long target = ((long) block * right.rows() + offset) * columns;
                products.run(width, columns, count, (long) from * width, at, target, !isFirst);
            }
        }
    }

    private float[][] perColumn(float[][] biasParts) {
        return Arrays.stream(biasParts).map(epilogue::perColumn).toArray(float[][]::new);
    }

    private Tensor sum(Tensor blockwise, int blocks) {
        return blocks == 1
                ? blockwise
                : Tensor.of(blockwise
                        .raw()
                        .view(blocks, right.rows(), right.columns())
                        .sum(0));
    }
}
