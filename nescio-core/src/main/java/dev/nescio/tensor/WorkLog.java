// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.jspecify.annotations.Nullable;

/**
 * The matrix products of a computation and the bytes that its sums over neighbours read and write: what no way of doing the same can
 * save. Benchmarks do them again, and nothing else, and compare the times. Off but for benchmarks.
 */
public final class WorkLog {

    private static volatile @Nullable WorkLog current;

    private final List<Product> products = new CopyOnWriteArrayList<>();
    private final AtomicLong movedBytes = new AtomicLong();

    /**
     * {@code rows x columns} numbers, each a sum of {@code inner} products.
     *
     * @param isLeftTransposed whether the left factor is read by columns
     */
    private record Product(int rows, int columns, int inner, boolean isLeftTransposed) {}

    private WorkLog() {}

    /** From now on, what any thread computes is written down. */
    public static void begin() {
        current = new WorkLog();
    }

    /** What was written down since {@link #begin}. */
    public static WorkLog end() {
        WorkLog log = current;
        current = null;
        return log == null ? new WorkLog() : log;
    }

    static void product(int rows, int columns, int inner, boolean isLeftTransposed) {
        WorkLog log = current;
        if (log != null) {
            log.products.add(new Product(rows, columns, inner, isLeftTransposed));
        }
    }

    static void moved(long bytes) {
        WorkLog log = current;
        if (log != null) {
            log.movedBytes.addAndGet(bytes);
        }
    }

    /** Multiplications and additions of all products. */
    public double operations() {
        return products.stream()
                .mapToDouble(p -> 2.0 * p.rows * p.columns * p.inner)
                .sum();
    }

    public long movedBytes() {
        return movedBytes.get();
    }

    /** The time of all products in milliseconds, one call of BLAS per core and product, on memory with other values. */
    public double timeOfProducts() {
        long largest = products.stream()
                .mapToLong(p -> Math.max((long) p.rows * p.columns, (long) p.inner * Math.max(p.rows, p.columns)))
                .max()
                .orElse(0);
        // Where the left factor is read by columns, every core has a result of its own.
        long results = products.stream()
                .mapToLong(p -> (long) p.rows * p.columns * (p.isLeftTransposed ? Engine.threads() : 1))
                .max()
                .orElse(0);
        return Scope.run(() -> {
            FloatPointer a = filled(largest);
            FloatPointer b = filled(largest);
            FloatPointer c = filled(results);
            long start = System.nanoTime();
            products.forEach(p -> multiply(p, a, b, c));
            return (System.nanoTime() - start) / 1e6;
        });
    }

    private static void multiply(Product p, FloatPointer a, FloatPointer b, FloatPointer c) {
        int cores = Engine.threads();
        int size = p.isLeftTransposed ? p.inner : p.rows;
        Parallel.each(cores, part -> {
            int from = (int) ((long) size * part / cores);
            int count = (int) ((long) size * (part + 1) / cores) - from;
            int none = openblas_nolapack.CblasNoTrans;
            if (p.isLeftTransposed) {
                call(
                        openblas_nolapack.CblasTrans,
                        p.rows,
                        p.columns,
                        count,
                        a,
                        (long) from * p.rows,
                        p.rows,
                        b,
                        (long) from * p.columns,
                        c,
                        (long) part * p.rows * p.columns);
            } else {
                call(
                        none,
                        count,
                        p.columns,
                        p.inner,
                        a,
                        (long) from * p.inner,
                        p.inner,
                        b,
                        0,
                        c,
                        (long) from * p.columns);
            }
        });
    }

    private static void call(
            int left,
            int m,
            int n,
            int k,
            FloatPointer a,
            long atA,
            int widthA,
            FloatPointer b,
            long atB,
            FloatPointer c,
            long atC) {
        openblas_nolapack.cblas_sgemm(
                openblas_nolapack.CblasRowMajor,
                left,
                openblas_nolapack.CblasNoTrans,
                m,
                n,
                k,
                1,
                Gemm.at(a, atA),
                Math.max(1, widthA),
                Gemm.at(b, atB),
                Math.max(1, n),
                0,
                Gemm.at(c, atC),
                Math.max(1, n));
    }

    /** The time in milliseconds to read half of the moved bytes and to write the other half, in order. */
    public double timeOfMoves() {
        long half = movedBytes.get() / 2;
        long size = Math.min(half, 64L << 20);
        if (size < 1) {
            return 0;
        }
        return Scope.run(() -> {
            FloatPointer from = filled(size / Float.BYTES + 1);
            FloatPointer to = filled(size / Float.BYTES + 1);
            long start = System.nanoTime();
            int cores = Engine.threads();
            for (long done = 0; done < half; done += size) {
                long count = Math.min(size, half - done) / cores;
                Parallel.each(
                        cores,
                        part -> Pointer.memcpy(
                                Gemm.at(to, part * count / Float.BYTES),
                                Gemm.at(from, part * count / Float.BYTES),
                                count));
            }
            return (System.nanoTime() - start) / 1e6;
        });
    }

    private static FloatPointer filled(long entries) {
        return Tensor.of(org.bytedeco.pytorch.global.torch.rand(Math.max(1, entries)))
                .raw()
                .data_ptr_float();
    }
}
