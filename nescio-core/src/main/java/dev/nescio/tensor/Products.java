// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Matrix products on several cores, {@code a b + bias}, and what follows them entry by entry ({@link Epilogue}). OpenBLAS itself
 * runs on one thread, always: its own threads wait for each other by spinning, which ruins both where another process wants the
 * cores, and their number is one setting for the whole process. Rows are cut into blocks by the shapes alone, so that the result
 * does not depend on the number of cores.
 */
final class Products {

    /** Of a block, if there are more than two: every block reads and packs the other factor anew. */
    private static final int BLOCK_ROWS = 2048;

    private static final int MOST_BLOCKS = 32;

    /** Of a block of a Gram matrix, each of which needs memory for a whole one. */
    private static final int GRAM_ROWS = 2048;

    /**
     * Rows that are multiplied and then finished while they are in the cache, at most. OpenBLAS packs the other factor once per chunk, which
     * costs about as much as multiplying a hundred rows.
     */
    private static final int CHUNK_ROWS = 2560;

    /** Of a chunk, if it has several rows: what a thread keeps for chunks of gradients. */
    private static final int CHUNK_ENTRIES = 1 << 22;

    /** Multiplications of a product that is left to libtorch, on one core. */
    private static final long SMALL = 1 << 23;

    private Products() {}

    static Tensor of(Tensor a, Tensor b, @Nullable Tensor bias) {
        return of(List.of(a), b, bias, Dropout.OFF, false);
    }

    /** {@code gelu(dropout((parts side by side) b + bias))}, or without gelu; the parts are never joined. */
    static Tensor of(List<Tensor> parts, Tensor b, @Nullable Tensor bias, Dropout dropout, boolean isGelu) {
        if (isSmall(parts.get(0).rows(), b)) {
            Tensor product = small(Tensor.besides(parts.toArray(Tensor[]::new)), b, bias);
            return isGelu ? dropout.applyThenGelu(product) : dropout.apply(product);
        }
        return inBlocks(parts, b, bias, dropout.nextMask(), isGelu, null);
    }

    /** {@code dropout((parts side by side) b + bias) + plus}; in one pass over memory where no gradient is wanted. */
    static Tensor plus(List<Tensor> parts, Tensor b, Tensor bias, Dropout dropout, @Nullable Tensor plus) {
        boolean isTraining = CustomGradient.wanted(b, bias) || CustomGradient.wanted(parts.toArray(Tensor[]::new));
        if (plus == null || isTraining || isDouble(b) || isSmall(plus.rows(), b)) {
            Tensor product = of(parts, b, bias, dropout, false);
            return plus == null ? product : product.plusReusing(plus);
        }
        return inBlocks(parts, b, bias, dropout.nextMask(), false, plus);
    }

    private static boolean isDouble(Tensor x) {
        return x.raw().element_size() == Double.BYTES;
    }

    private static boolean isSmall(int rows, Tensor b) {
        return (long) rows * b.rows() * b.columns() < SMALL;
    }

    private static Tensor small(Tensor a, Tensor b, @Nullable Tensor bias) {
        WorkLog.product(a.rows(), b.columns(), a.columns(), false);
        if (bias == null) {
            return Tensor.of(a.raw().mm(b.raw()));
        }
        return b.columns() == 1
                ? Tensor.of(a.raw().mm(b.raw())).plus(bias)
                : Tensor.of(torch.addmm(bias.raw(), a.raw(), b.raw()));
    }

    static Tensor inBlocks(
            List<Tensor> parts,
            Tensor b,
            @Nullable Tensor bias,
            @Nullable Mask mask,
            boolean isGelu,
            @Nullable Tensor plus) {
        if (isDouble(b) && bias != null) {
            // Doubles are for checks alone; whatever follows their products is left to libtorch.
            return inBlocks(parts, b, null, mask, isGelu, null).plus(bias);
        }
        List<Tensor> lefts =
                parts.stream().map(part -> part.detached().contiguous()).toList();
        Tensor right = b.detached().contiguous();
        List<Tensor> inputs = new ArrayList<>(parts);
        inputs.add(b);
        if (bias != null) {
            inputs.add(bias);
        }
        boolean isTraining = CustomGradient.wanted(inputs.toArray(Tensor[]::new));
        Epilogue epilogue = new Epilogue(b.columns(), bias, mask, isGelu, plus);
        if (isTraining) {
            epilogue.expectBackward(parts.get(0).rows());
        }
        Tensor result = Gradients.off(() -> forward(lefts, right, epilogue));
        if (!isTraining) {
            return result;
        }
        lefts.forEach(CustomGradient::save);
        CustomGradient.save(right);
        // Inputs other than leaves may be gone when the backward pass comes.
        ProductBackward backward = new ProductBackward(
                lefts,
                right,
                epilogue,
                parts.stream().map(Tensor::requiresGradient).toList(),
                b.requiresGradient(),
                bias != null && bias.requiresGradient());
        Tensor a = parts.get(0);
        boolean hasLeaves = b.isLeaf() && (bias == null || bias.isLeaf());
        if (parts.size() == 1 && hasLeaves && a.requiresGradient() && a.columns() == b.columns()) {
            // The result has the shape of the input: no pass over memory connects them.
            return CustomGradient.attach(a, result, gradient -> {
                @Nullable Tensor[] gradients = backward.gradients(gradient);
                addTo(b, gradients[1]);
                addTo(bias, gradients[2]);
                return Objects.requireNonNull(gradients[0]);
            });
        }
        return CustomGradient.attach(
                result,
                gradient -> Arrays.copyOf(backward.gradients(gradient), inputs.size()),
                inputs.toArray(Tensor[]::new));
    }

    private static void addTo(@Nullable Tensor leaf, @Nullable Tensor gradient) {
        if (leaf != null && gradient != null) {
            leaf.addGradient(gradient);
        }
    }

    private static Tensor forward(List<Tensor> parts, Tensor b, Epilogue epilogue) {
        int rows = parts.get(0).rows();
        int columns = b.columns();
        Tensor result = empty(b, rows, columns);
        List<Gemm> products = new ArrayList<>();
        for (Tensor part : parts) {
            WorkLog.product(rows, columns, part.columns(), false);
            products.add(Gemm.of(part, b, result));
        }
        FloatPointer values = epilogue.isEmpty() ? null : result.raw().data_ptr_float();
        chunks(rows, columns, (block, isFirst, from, count) -> {
            int offset = 0;
            for (int i = 0; i < parts.size(); i++) {
                int inner = parts.get(i).columns();
                long atLeft = (long) from * inner;
                products.get(i)
                        .run(count, columns, inner, atLeft, (long) offset * columns, (long) from * columns, i > 0);
                offset += inner;
            }
            if (values != null) {
                epilogue.forward(values, from, count);
            }
        });
        return result;
    }

    /** {@code x' x}, only its lower triangle and diagonal, in half the time of a product. */
    static Tensor lowerGram(Tensor x) {
        int width = x.columns();
        int count = count(x.rows(), GRAM_ROWS);
        // Half of the product: the same work as one of half as many rows.
        WorkLog.product(width, width, x.rows() / 2, true);
        List<Tensor> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(Tensor.zeros(width, width));
        }
        FloatPointer values = x.raw().data_ptr_float();
        List<FloatPointer> targets =
                parts.stream().map(part -> part.raw().data_ptr_float()).toList();
        blocks(
                x.rows(),
                GRAM_ROWS,
                (block, from, rows) -> openblas_nolapack.cblas_ssyrk(
                        openblas_nolapack.CblasRowMajor,
                        openblas_nolapack.CblasLower,
                        openblas_nolapack.CblasTrans,
                        width,
                        rows,
                        1,
                        Gemm.at(values, (long) from * width),
                        width,
                        0,
                        targets.get(block),
                        width));
        for (int i = 1; i < count; i++) {
            parts.get(0).raw().add_(parts.get(i).raw());
        }
        return parts.get(0);
    }

    /** How many blocks some rows are cut into: an even number, by theirs alone. */
    static int count(int rows) {
        return count(rows, BLOCK_ROWS);
    }

    private static int count(int rows, int perBlock) {
        int blocks = Math.max(2, Math.min(MOST_BLOCKS, rows / perBlock));
        return rows < 2 ? 1 : blocks - blocks % 2;
    }

    /** Works on one block of rows. */
    @FunctionalInterface
    private interface Block {
        void run(int block, int from, int rows);
    }

    /** Works on one chunk of rows. */
    @FunctionalInterface
    interface Chunk {
        void run(int block, boolean isFirst, int from, int rows);
    }

    /** How many rows of this width a chunk has at most. */
    static int chunkRows(int width) {
        return Math.max(1, Math.min(CHUNK_ROWS, CHUNK_ENTRIES / Math.max(1, width)));
    }

    /** Chunks of rows of this width, about as large, in their order within a block; blocks run side by side. */
    static void chunks(int rows, int width, Chunk body) {
        int most = chunkRows(width);
        blocks(rows, BLOCK_ROWS, (block, first, count) -> {
            int chunks = (count + most - 1) / most;
            for (int i = 0; i < chunks; i++) {
                int from = (int) ((long) count * i / chunks);
                int to = (int) ((long) count * (i + 1) / chunks);
                body.run(block, i == 0, first + from, to - from);
            }
        });
    }

    private static void blocks(int rows, int perBlock, Block body) {
        int count = count(rows, perBlock);
        Parallel.each(count, block -> {
            int from = (int) ((long) rows * block / count);
            int to = (int) ((long) rows * (block + 1) / count);
            body.run(block, from, to - from);
        });
    }

    static Tensor empty(Tensor like, int rows, int columns) {
        return Tensor.of(torch.empty(new long[] {rows, columns}, like.raw().options(), null));
    }
}
