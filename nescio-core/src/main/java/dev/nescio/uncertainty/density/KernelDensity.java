// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;

/**
 * A Gaussian kernel on every training row: {@code -log((1/n) sum_t exp(-|z - t|^2 / (2 b^2)))}, by log-sum-exp, so that far
 * queries keep their order instead of underflowing to ties. By blocks; several threads may score blocks side by side.
 *
 * <p>Squared distances come from a matrix product, in floats where its rounding changes no exponent by more than 1e-5 and
 * in doubles otherwise.
 */
public final class KernelDensity implements AutoCloseable {

    private static final int ROW_BLOCK = 1024;
    private static final double FLOAT_ROUNDING = 0x1p-24;
    private static final double LARGEST_ERROR = 1e-5;

    /** Share of a sum below which a difference has lost too many digits. */
    private static final double SURE = 0.01;

    private final Arena arena = new Arena();
    private final DenseMatrix training;
    private final int count;
    private final int dimensions;
    private final double twiceSquaredBandwidth;
    private final double largestNorm;
    private final Tensor rows;
    private final Tensor squaredNorms;
    private final Tensor exactRows;
    private final Tensor exactSquaredNorms;

    public KernelDensity(DenseMatrix training, double bandwidth) {
        this.training = training;
        this.count = training.rows();
        this.dimensions = training.columns();
        this.twiceSquaredBandwidth = 2 * bandwidth * bandwidth;
        this.rows = Scope.run(() -> arena.own(Tensor.of(training)));
        this.squaredNorms = Scope.run(() -> arena.own(rows.squaredRowNorms()));
        this.exactRows = Scope.run(() -> arena.own(rows.toDouble()));
        this.exactSquaredNorms = Scope.run(() -> arena.own(exactRows.squaredRowNorms()));
        this.largestNorm = Math.sqrt(
                Arrays.stream(Scope.run(exactSquaredNorms::toDoubles)).max().orElse(0));
    }

    /** {@code -log density} of every query, but for the constant of the kernel. */
    public double[] negativeLogDensity(DenseMatrix queries) {
        return Scope.run(() -> {
            Tensor q = Tensor.of(queries);
            double[] norms = q.toDouble().squaredRowNorms().toDoubles();
            double farthest = Math.sqrt(Arrays.stream(norms).max().orElse(0));
            double sum = farthest + largestNorm;
            double error = FLOAT_ROUNDING * (2 * dimensions * farthest * largestNorm + 8 * sum * sum);
            boolean exact = error / twiceSquaredBandwidth > LARGEST_ERROR;
            return exact
                    ? score(q.toDouble(), exactRows, exactSquaredNorms, norms)
                    : score(q, rows, squaredNorms, norms);
        });
    }

    /**
     * What the density of a query is without one of the training rows, the one that it is itself.
     *
     * @param score the density with it, of the same query
     */
    public double without(int itself, DenseMatrix queries, int query, double score) {
        if (count == 1) {
            return score;
        }
        double all = Math.exp(Math.log(count) - score);
        double rest = all - Math.exp(exponent(queries, query, itself));
        if (rest > SURE * all) {
            return Math.log(count - 1.0) - Math.log(rest);
        }
        // Nearly all of it was the row itself: what is left must be added up anew.
        double logSum = Double.NEGATIVE_INFINITY;
        for (int row = 0; row < count; row++) {
            logSum = row == itself ? logSum : LogSumExp.of(logSum, exponent(queries, query, row));
        }
        return Math.log(count - 1.0) - logSum;
    }

    private double exponent(DenseMatrix queries, int query, int row) {
        double sum = 0;
        for (int i = 0; i < dimensions; i++) {
            double difference = queries.values()[query * dimensions + i] - training.values()[row * dimensions + i];
            sum += difference * difference;
        }
        return -sum / twiceSquaredBandwidth;
    }

    private double[] score(Tensor queries, Tensor references, Tensor referenceNorms, double[] norms) {
        double[] logSums = new double[norms.length];
        Tensor scaled = queries.times(2 / twiceSquaredBandwidth);
        Tensor offsets = referenceNorms.times(-1 / twiceSquaredBandwidth);
        Arrays.fill(logSums, Double.NEGATIVE_INFINITY);
        Blocks.forEach(
                count,
                ROW_BLOCK,
                (from, length) -> Scope.run(() -> {
                    double[] block = scaled.product(
                                    references.rows(from, length).transposed(), offsets.rows(from, length), 1)
                            .logSumExpOverColumns()
                            .toDoubles();
                    for (int i = 0; i < block.length; i++) {
                        logSums[i] = LogSumExp.of(logSums[i], block[i]);
                    }
                }));
        for (int i = 0; i < logSums.length; i++) {
            // Every exponent lacks the query's own squared norm, the same for a whole row.
            logSums[i] = norms[i] / twiceSquaredBandwidth - logSums[i] + Math.log(count);
        }
        return logSums;
    }

    @Override
    public void close() {
        arena.close();
    }
}
