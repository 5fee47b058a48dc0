// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.KernelSums;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A Gaussian kernel on every training row: {@code -log((1/n) sum_t exp(-|z - t|^2 / (2 b^2)))}. By blocks; several threads may score
 * blocks side by side.
 *
 * <p>Exponents come from one matrix product: two columns behind those of the rows hold the squared norms. Queries whose exponents
 * floats would round by more than 1e-4, as far as can be expected of sums of so many terms, or whose sum all but vanishes in floats,
 * are computed in doubles, by log-sum-exp, so that far queries keep their order instead of underflowing to ties.
 */
public final class KernelDensity implements AutoCloseable {

    private static final int ROW_BLOCK = 512;
    private static final int QUERY_BLOCK = 512;
    private static final double FLOAT_ROUNDING = 0x1p-24;
    private static final double LARGEST_ERROR = 1e-4;

    /** The error of a sum of d terms is about the root of d roundings; so many times that are allowed for. */
    private static final double DEVIATIONS = 4;

    /** A smaller sum may lack terms that have vanished in floats. */
    private static final double SMALLEST_SUM = 1e-25;

    private static final int[] NOBODY = {};

    private final Arena arena = new Arena();
    private final int count;
    private final int dimensions;
    private final double twiceSquaredBandwidth;
    private final double largestNorm;
    private final Tensor exactRows;
    private final Tensor rows;

    public KernelDensity(DenseMatrix training, double bandwidth) {
        this.count = training.rows();
        this.dimensions = training.columns();
        this.twiceSquaredBandwidth = 2 * bandwidth * bandwidth;
        double[] squares =
                Scope.run(() -> Tensor.of(training).toDouble().squaredRowNorms().toDoubles());
        this.largestNorm = Math.sqrt(Arrays.stream(squares).max().orElse(0));
        this.exactRows = Scope.run(() -> arena.own(Tensor.besides(
                Tensor.of(training).toDouble(),
                column(squares.length, i -> 1),
                column(squares.length, i -> -squares[i] / twiceSquaredBandwidth))));
        this.rows = Scope.run(() -> arena.own(exactRows.toFloat()));
    }

    /** {@code -log density} of every query, but for the constant of the kernel. */
    public double[] negativeLogDensity(DenseMatrix queries) {
        return negativeLogDensity(queries, NOBODY);
    }

    /**
     * The same without the kernel on one of the training rows, the one that a query is itself; where there is no other, it stays.
     *
     * @param itself a row for each query, -1 for none; empty for none at all
     */
    public double[] negativeLogDensity(DenseMatrix queries, int[] itself) {
        int[] others = count > 1 ? itself : NOBODY;
        double[] scores = new double[queries.rows()];
        Scope.run(() -> {
            Tensor exact = Tensor.of(queries).toDouble();
            double[] squares = exact.squaredRowNorms().toDoubles();
            Tensor factors = Tensor.besides(
                    exact.times(2 / twiceSquaredBandwidth),
                    column(squares.length, i -> -squares[i] / twiceSquaredBandwidth),
                    column(squares.length, i -> 1));
            boolean[] isSure = new boolean[squares.length];
            inFloats(factors, squares, others, scores, isSure);
            inDoubles(factors, others, scores, isSure);
        });
        return scores;
    }

    private static Tensor column(int length, IntToDoubleFunction value) {
        double[] values = new double[length];
        Arrays.setAll(values, value);
        return Tensor.of(values, length, 1);
    }

    private void inFloats(Tensor factors, double[] squares, int[] itself, double[] scores, boolean[] isSure) {
        int[] near = IntStream.range(0, squares.length)
                .filter(q -> error(Math.sqrt(squares[q])) <= LARGEST_ERROR)
                .toArray();
        Tensor some = factors.select(Tensor.of(near)).toFloat();
        forEachBlock(near, itself, (from, queries, firstRow, length, leftOut) -> {
            double[] block = KernelSums.of(some.rows(from, queries), rows.rows(firstRow, length), leftOut);
            for (int i = 0; i < block.length; i++) {
                scores[near[from + i]] += block[i];
            }
        });
        for (int q : near) {
            isSure[q] = scores[q] > SMALLEST_SUM;
            scores[q] = Math.log(kernels(itself, q)) - Math.log(scores[q]);
        }
    }

    private void inDoubles(Tensor factors, int[] itself, double[] scores, boolean[] isSure) {
        int[] far = IntStream.range(0, isSure.length).filter(q -> !isSure[q]).toArray();
        Tensor some = factors.select(Tensor.of(far));
        double[] logSums = new double[far.length];
        Arrays.fill(logSums, Double.NEGATIVE_INFINITY);
        forEachBlock(far, itself, (from, queries, firstRow, length, leftOut) -> {
            double[] block = KernelSums.logarithms(some.rows(from, queries), exactRows.rows(firstRow, length), leftOut);
            for (int i = 0; i < block.length; i++) {
                logSums[from + i] = LogSumExp.of(logSums[from + i], block[i]);
            }
        });
        for (int i = 0; i < far.length; i++) {
            scores[far[i]] = Math.log(kernels(itself, far[i])) - logSums[i];
        }
    }

    private double error(double norm) {
        double sum = norm + largestNorm;
        double product = 2 * DEVIATIONS * Math.sqrt(dimensions) * norm * largestNorm;
        return FLOAT_ROUNDING * (product + DEVIATIONS * sum * sum) / twiceSquaredBandwidth;
    }

    /** How many kernels count for a query. */
    private int kernels(int[] itself, int query) {
        return itself.length > 0 && itself[query] >= 0 ? count - 1 : count;
    }

    @FunctionalInterface
    private interface Block {
        void run(int from, int queries, int firstRow, int length, int[] leftOut);
    }

    private void forEachBlock(int[] queries, int[] itself, Block body) {
        Blocks.forEach(
                queries.length,
                QUERY_BLOCK,
                (from, some) -> Blocks.forEach(
                        count,
                        ROW_BLOCK,
                        (firstRow, length) -> Scope.run(() -> body.run(
                                from,
                                some,
                                firstRow,
                                length,
                                leftOut(queries, from, some, itself, firstRow, length)))));
    }

    /** Which entries of a block are a query and itself. */
    private static int[] leftOut(int[] queries, int from, int some, int[] itself, int firstRow, int length) {
        return itself.length == 0
                ? NOBODY
                : IntStream.range(0, some)
                        .filter(i ->
                                itself[queries[from + i]] >= firstRow && itself[queries[from + i]] < firstRow + length)
                        .map(i -> i * length + itself[queries[from + i]] - firstRow)
                        .toArray();
    }

    @Override
    public void close() {
        arena.close();
    }
}
