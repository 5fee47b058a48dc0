// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import com.sun.jna.NativeLibrary;
import java.util.List;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * Products of row-major matrices in floats or doubles, {@code c = a b} or {@code c = a' b}, on one thread; any number of threads may
 * work on different parts of {@code c} at a time.
 *
 * <p>OpenBLAS copies both factors into an order of its own before it multiplies, which costs a third of the time where one of them is
 * tall and narrow. For cores with AVX-512 it has kernels that read small factors where they lie: there, narrow products are cut
 * into pieces that are small enough. The pieces follow from the shapes alone.
 */
final class Gemm {

    /** Multiplications of a piece that OpenBLAS calls small. */
    private static final int SMALL = 1_000_000;

    /** Of the rows that are multiplied at a time; fewer are not worth a call. */
    private static final int LEAST_ROWS = 16;

    private static final boolean HAS_SMALL_KERNELS = hasSmallKernels();

    private final Pointer a;
    private final Pointer b;
    private final Pointer c;
    private final int leftWidth;
    private final int rightWidth;
    private final int width;
    private final boolean isLeftTransposed;

    private Gemm(Pointer a, Pointer b, Pointer c, int leftWidth, int rightWidth, int width, boolean isLeftTransposed) {
        this.a = a;
        this.b = b;
        this.c = c;
        this.leftWidth = Math.max(1, leftWidth);
        this.rightWidth = Math.max(1, rightWidth);
        this.width = Math.max(1, width);
        this.isLeftTransposed = isLeftTransposed;
    }

    /** {@code c = a b}. */
    static Gemm of(Tensor a, Tensor b, Tensor c) {
        return new Gemm(pointer(a), pointer(b), pointer(c), a.columns(), b.columns(), c.columns(), false);
    }

    /** {@code c = a' b}. */
    static Gemm ofTransposed(Tensor a, Tensor b, Tensor c) {
        return new Gemm(pointer(a), pointer(b), pointer(c), a.columns(), b.columns(), c.columns(), true);
    }

    /** The same products with another left factor of the same shape. */
    Gemm withLeft(Pointer other) {
        return new Gemm(other, b, c, leftWidth, rightWidth, width, isLeftTransposed);
    }

    /** The same products with another right factor of the same shape. */
    Gemm withRight(Pointer other) {
        return new Gemm(a, other, c, leftWidth, rightWidth, width, isLeftTransposed);
    }

    private static Pointer pointer(Tensor x) {
        return x.raw().element_size() == Double.BYTES
                ? x.raw().data_ptr_double()
                : x.raw().data_ptr_float();
    }

    /**
     * {@code m x n} numbers from sums of {@code k} products, beginning at these places of the three matrices.
     *
     * @param adds whether they are added to what {@code c} holds
     */
    void run(int m, int n, int k, long atA, long atB, long atC, boolean adds) {
        int piece = piece(m, n, k);
        if (isLeftTransposed) {
            for (int from = 0; from < k; from += piece) {
                call(
                        m,
                        n,
                        Math.min(piece, k - from),
                        atA + (long) from * leftWidth,
                        atB + (long) from * rightWidth,
                        atC,
                        adds || from > 0);
            }
        } else {
            for (int from = 0; from < m; from += piece) {
                call(
                        Math.min(piece, m - from),
                        n,
                        k,
                        atA + (long) from * leftWidth,
                        atB,
                        atC + (long) from * width,
                        adds);
            }
        }
    }

    /** Rows of the left factor that are multiplied at a time. */
    private int piece(int m, int n, int k) {
        int rows = isLeftTransposed ? k : m;
        long perRow = isLeftTransposed ? (long) m * n : (long) n * k;
        if (!HAS_SMALL_KERNELS || a instanceof DoublePointer || perRow == 0) {
            return Math.max(1, rows);
        }
        long most = SMALL / perRow / LEAST_ROWS * LEAST_ROWS;
        return most < LEAST_ROWS ? Math.max(1, rows) : (int) Math.max(1, Math.min(rows, most));
    }

    private void call(int m, int n, int k, long atA, long atB, long atC, boolean adds) {
        int rowMajor = openblas_nolapack.CblasRowMajor;
        int left = isLeftTransposed ? openblas_nolapack.CblasTrans : openblas_nolapack.CblasNoTrans;
        int right = openblas_nolapack.CblasNoTrans;
        int keep = adds ? 1 : 0;
        if (a instanceof FloatPointer x) {
            FloatPointer y = at((FloatPointer) b, atB);
            FloatPointer z = at((FloatPointer) c, atC);
            openblas_nolapack.cblas_sgemm(
                    rowMajor, left, right, m, n, k, 1, at(x, atA), leftWidth, y, rightWidth, keep, z, width);
        } else {
            DoublePointer x = at((DoublePointer) a, atA);
            DoublePointer y = at((DoublePointer) b, atB);
            DoublePointer z = at((DoublePointer) c, atC);
            openblas_nolapack.cblas_dgemm(
                    rowMajor, left, right, m, n, k, 1, x, leftWidth, y, rightWidth, keep, z, width);
        }
    }

    static FloatPointer at(FloatPointer pointer, long offset) {
        return new FloatPointer(pointer).position(pointer.position() + offset);
    }

    private static DoublePointer at(DoublePointer pointer, long offset) {
        return new DoublePointer(pointer).position(offset);
    }

    private static boolean hasSmallKernels() {
        Engine.start();
        try {
            String file = Loader.load(openblas_nolapack.class);
            String folder = file.substring(0, file.lastIndexOf(java.io.File.separatorChar) + 1);
            String core = NativeLibrary.getInstance(folder + System.mapLibraryName("openblas_nolapack") + ".0")
                    .getFunction("openblas_get_corename")
                    .invokeString(new Object[0], false);
            return List.of("SkylakeX", "Cooperlake", "SapphireRapids").contains(core);
        } catch (LinkageError | RuntimeException e) {
            // Another file name on another system: everything works, only slower.
            System.getLogger(Gemm.class.getName())
                    .log(System.Logger.Level.DEBUG, "the core that OpenBLAS computes for is not known", e);
            return false;
        }
    }
}
