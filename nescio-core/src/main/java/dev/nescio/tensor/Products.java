// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Matrix products on several cores, {@code a b + bias}. OpenBLAS itself runs on one thread, always: its own threads wait for
 * each other by spinning, which ruins both where another process wants the cores, and their number is one setting for the
 * whole process. Rows are cut into blocks by the shapes alone, so that the result does not depend on the number of cores.
 */
final class Products {

    /** Of a block, if there are more than two: every block reads the other factor anew. */
    private static final int BLOCK_ROWS = 2048;

    private static final int BLOCK_COLUMNS = 256;
    private static final int MOST_BLOCKS = 32;

    /** Multiplications of a product that is left to libtorch, on one core. */
    private static final long SMALL = 1 << 23;

    /** From so many columns on, and with few rows, a gradient is cut by its own rows; otherwise it is a sum over blocks. */
    private static final int WIDE = 128;

    private Products() {}

    static Tensor of(Tensor a, Tensor b, @Nullable Tensor bias) {
        if ((long) a.rows() * a.columns() * b.columns() < SMALL) {
            return small(a, b, bias);
        }
        return inBlocks(a, b, bias);
    }

    private static Tensor small(Tensor a, Tensor b, @Nullable Tensor bias) {
        if (bias == null) {
            return Tensor.of(a.raw().mm(b.raw()));
        }
        return b.columns() == 1
                ? Tensor.of(a.raw().mm(b.raw())).plus(bias)
                : Tensor.of(torch.addmm(bias.raw(), a.raw(), b.raw()));
    }

    static Tensor inBlocks(Tensor a, Tensor b, @Nullable Tensor bias) {
        Tensor left = a.detached().contiguous();
        Tensor right = b.detached().contiguous();
        Tensor result = Gradients.off(() -> forward(left, right, bias));
        Tensor[] inputs = bias == null ? new Tensor[] {a, b} : new Tensor[] {a, b, bias};
        if (!CustomGradient.wanted(inputs)) {
            return result;
        }
        CustomGradient.save(left);
        CustomGradient.save(right);
        // Inputs other than leaves may be gone when the backward pass comes.
        boolean movesLeft = a.requiresGradient();
        boolean movesRight = b.requiresGradient();
        boolean movesBias = bias != null && bias.requiresGradient();
        boolean hasLeaves = b.isLeaf() && (bias == null || bias.isLeaf());
        if (hasLeaves && movesLeft && a.columns() == b.columns()) {
            // The result has the shape of the input: no pass over memory connects them.
            return CustomGradient.attach(a, result, gradient -> {
                Tensor g = gradient.contiguous();
                if (movesRight) {
                    b.addGradient(gradientOfRight(left, g));
                }
                if (bias != null && movesBias) {
                    bias.addGradient(g.sumOverRows());
                }
                return gradientOfLeft(g, right);
            });
        }
        return CustomGradient.attach(
                result,
                gradient -> {
                    Tensor g = gradient.contiguous();
                    Tensor[] gradients = new Tensor[inputs.length];
                    gradients[0] = movesLeft ? gradientOfLeft(g, right) : null;
                    gradients[1] = movesRight ? gradientOfRight(left, g) : null;
                    if (bias != null) {
                        gradients[2] = movesBias ? g.sumOverRows() : null;
                    }
                    return gradients;
                },
                inputs);
    }

    private static Tensor forward(Tensor a, Tensor b, @Nullable Tensor bias) {
        Tensor result = empty(a, a.rows(), b.columns());
        if (bias != null) {
            result.raw().copy_(bias.raw());
        }
        Gemm gemm = new Gemm(a, b, result, false, false, bias == null ? 0 : 1);
        blocks(
                a.rows(),
                BLOCK_ROWS,
                (block, from, count) -> gemm.run(
                        count, b.columns(), a.columns(), (long) from * a.columns(), 0, (long) from * b.columns()));
        return result;
    }

    /** {@code g b'}. */
    private static Tensor gradientOfLeft(Tensor g, Tensor b) {
        return Gradients.off(() -> {
            Tensor result = empty(g, g.rows(), b.rows());
            Gemm gemm = new Gemm(g, b, result, false, true, 0);
            blocks(
                    g.rows(),
                    BLOCK_ROWS,
                    (block, from, count) -> gemm.run(
                            count, b.rows(), g.columns(), (long) from * g.columns(), 0, (long) from * b.rows()));
            return result;
        });
    }

    /** {@code a' g}. */
    private static Tensor gradientOfRight(Tensor a, Tensor g) {
        return Gradients.off(
                () -> a.columns() >= WIDE && a.rows() < 2 * BLOCK_ROWS ? rowsOfGradient(a, g) : sumOfGradients(a, g));
    }

    private static Tensor rowsOfGradient(Tensor a, Tensor g) {
        Tensor result = empty(a, a.columns(), g.columns());
        Gemm gemm = new Gemm(a, g, result, true, false, 0);
        blocks(
                a.columns(),
                BLOCK_COLUMNS,
                (block, from, count) -> gemm.run(count, g.columns(), a.rows(), from, 0, (long) from * g.columns()));
        return result;
    }

    /** Blocks are added up in their order. */
    private static Tensor sumOfGradients(Tensor a, Tensor g) {
        long size = (long) a.columns() * g.columns();
        int count = count(a.rows(), BLOCK_ROWS);
        Tensor parts = empty(a, count * a.columns(), g.columns());
        Gemm gemm = new Gemm(a, g, parts, true, false, 0);
        blocks(
                a.rows(),
                BLOCK_ROWS,
                (block, from, rows) -> gemm.run(
                        a.columns(),
                        g.columns(),
                        rows,
                        (long) from * a.columns(),
                        (long) from * g.columns(),
                        block * size));
        if (count == 1) {
            return parts;
        }
        return Tensor.of(parts.raw().view(count, a.columns(), g.columns()).sum(0));
    }

    /** {@code x' x}, only its lower triangle and diagonal, in half the time of a product. */
    static Tensor lowerGram(Tensor x) {
        int width = x.columns();
        int count = count(x.rows(), BLOCK_ROWS);
        List<Tensor> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(Tensor.zeros(width, width));
        }
        FloatPointer values = x.raw().data_ptr_float();
        List<FloatPointer> targets =
                parts.stream().map(part -> part.raw().data_ptr_float()).toList();
        blocks(
                x.rows(),
                BLOCK_ROWS,
                (block, from, rows) -> openblas_nolapack.cblas_ssyrk(
                        openblas_nolapack.CblasRowMajor,
                        openblas_nolapack.CblasLower,
                        openblas_nolapack.CblasTrans,
                        width,
                        rows,
                        1,
                        at(values, (long) from * width),
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
    private static int count(int rows, int perBlock) {
        int blocks = Math.max(2, Math.min(MOST_BLOCKS, rows / perBlock));
        return rows < 2 ? 1 : blocks - blocks % 2;
    }

    /** Works on one block of rows. */
    private interface Block {
        void run(int block, int from, int rows);
    }

    private static void blocks(int rows, int perBlock, Block body) {
        int count = count(rows, perBlock);
        Parallel.ranges(count, 1, (first, end) -> {
            for (int block = (int) first; block < end; block++) {
                int from = (int) ((long) rows * block / count);
                int to = (int) ((long) rows * (block + 1) / count);
                body.run(block, from, to - from);
            }
        });
    }

    private static Tensor empty(Tensor like, int rows, int columns) {
        return Tensor.of(torch.empty(new long[] {rows, columns}, like.raw().options(), null));
    }

    private static FloatPointer at(FloatPointer pointer, long offset) {
        return new FloatPointer(pointer).position(offset);
    }

    private static DoublePointer at(DoublePointer pointer, long offset) {
        return new DoublePointer(pointer).position(offset);
    }

    /** One product of row-major matrices in floats or doubles, on one thread; may run on several blocks at a time. */
    private static final class Gemm {

        private final Pointer a;
        private final Pointer b;
        private final Pointer c;
        private final int leftWidth;
        private final int rightWidth;
        private final int width;
        private final int leftForm;
        private final int rightForm;
        private final double keep;

        /** @param keep what is kept of the old values of {@code c}: 0 or 1 */
        Gemm(Tensor a, Tensor b, Tensor c, boolean isLeftTransposed, boolean isRightTransposed, double keep) {
            boolean isDouble = a.raw().element_size() == Double.BYTES;
            this.a = isDouble ? a.raw().data_ptr_double() : a.raw().data_ptr_float();
            this.b = isDouble ? b.raw().data_ptr_double() : b.raw().data_ptr_float();
            this.c = isDouble ? c.raw().data_ptr_double() : c.raw().data_ptr_float();
            this.leftWidth = Math.max(1, a.columns());
            this.rightWidth = Math.max(1, b.columns());
            this.width = Math.max(1, c.columns());
            this.leftForm = isLeftTransposed ? openblas_nolapack.CblasTrans : openblas_nolapack.CblasNoTrans;
            this.rightForm = isRightTransposed ? openblas_nolapack.CblasTrans : openblas_nolapack.CblasNoTrans;
            this.keep = keep;
        }

        /** {@code m x n} numbers from sums of {@code k} products, beginning at these places of the three matrices. */
        void run(int m, int n, int k, long atA, long atB, long atC) {
            int rowMajor = openblas_nolapack.CblasRowMajor;
            if (a instanceof FloatPointer x) {
                openblas_nolapack.cblas_sgemm(
                        rowMajor,
                        leftForm,
                        rightForm,
                        m,
                        n,
                        k,
                        1,
                        at(x, atA),
                        leftWidth,
                        at((FloatPointer) b, atB),
                        rightWidth,
                        (float) keep,
                        at((FloatPointer) c, atC),
                        width);
            } else {
                openblas_nolapack.cblas_dgemm(
                        rowMajor,
                        leftForm,
                        rightForm,
                        m,
                        n,
                        k,
                        1,
                        at((DoublePointer) a, atA),
                        leftWidth,
                        at((DoublePointer) b, atB),
                        rightWidth,
                        keep,
                        at((DoublePointer) c, atC),
                        width);
            }
        }
    }
}
