package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.SmallestPerRow;
import dev.nescio.tensor.Tensor;

/**
 * The k nearest of a fixed set of rows, by Euclidean distance, exactly.
 *
 * <p>A block of queries is compared with a block of rows by one matrix product in floats, small enough to stay in the
 * cache, which finds a few more candidates than k. Their distances are computed again from differences in doubles. Where
 * the rounding of the product could have hidden a nearer row, which the error bound of a float product tells, the query is
 * compared with every row in doubles. Blocks may be searched side by side by several threads.
 */
public final class NearestNeighbours implements NeighbourSearch {

    private static final int ROW_BLOCK = 512;
    private static final int SPARE_CANDIDATES = 3;
    private static final double FLOAT_ROUNDING = 0x1p-24;

    private final Arena arena = new Arena();
    private final DenseMatrix references;
    private final int k;
    private final Tensor rows;
    private final Tensor squaredNorms;
    private final double largestNorm;

    public NearestNeighbours(DenseMatrix references, int k) {
        if (k < 1 || k > references.rows()) {
            throw new BadConfiguration("k must be at least 1 and at most the number of training nodes, got k = " + k
                    + ", training nodes = " + references.rows());
        }
        this.references = references;
        this.k = k;
        this.rows = Scope.run(() -> arena.own(Tensor.of(references)));
        this.squaredNorms = Scope.run(() -> arena.own(rows.squaredRowNorms()));
        double largest = 0;
        for (int row = 0; row < references.rows(); row++) {
            largest = Math.max(largest, norm(references, row));
        }
        this.largestNorm = largest;
    }

    @Override
    public Found search(DenseMatrix queries) {
        Found found = new Found(k, new int[queries.rows() * k], new double[queries.rows() * k]);
        int count = Math.min(references.rows(), k + SPARE_CANDIDATES);
        SmallestPerRow candidates = new SmallestPerRow(queries.rows(), count);
        Scope.run(() -> compare(Tensor.of(queries), candidates));
        Nearest nearest = new Nearest(k);
        for (int q = 0; q < queries.rows(); q++) {
            nearest.clear();
            for (int c = 0; c < count; c++) {
                nearest.offer(queries, q, references, candidates.column(q, c));
            }
            if (count < references.rows() && !isCertain(nearest, candidates.value(q, count - 1), norm(queries, q))) {
                nearest.clear();
                for (int row = 0; row < references.rows(); row++) {
                    nearest.offer(queries, q, references, row);
                }
            }
            nearest.copyTo(found, q);
        }
        return found;
    }

    /** {@code |b|^2 - 2 ab}: the squared distance but for {@code |a|^2}, which is the same for a whole row. */
    private void compare(Tensor queries, SmallestPerRow candidates) {
        Blocks.forEach(
                references.rows(),
                ROW_BLOCK,
                (from, length) -> Scope.run(() -> candidates.add(
                        queries.product(rows.rows(from, length).transposed(), squaredNorms.rows(from, length), -2),
                        from)));
    }

    /** Whether no row beyond the farthest candidate can be nearer than the k-th nearest found. */
    private boolean isCertain(Nearest nearest, double farthestCandidate, double norm) {
        double sum = norm + largestNorm;
        double error = FLOAT_ROUNDING * (2 * references.columns() * norm * largestNorm + 8 * sum * sum);
        boolean overflowed = !(farthestCandidate < Float.POSITIVE_INFINITY);
        return !overflowed && nearest.limit() <= farthestCandidate + norm * norm - error;
    }

    private static double norm(DenseMatrix matrix, int row) {
        double sum = 0;
        int dimensions = matrix.columns();
        for (int i = row * dimensions; i < (row + 1) * dimensions; i++) {
            sum += (double) matrix.values()[i] * matrix.values()[i];
        }
        return Math.sqrt(sum);
    }

    @Override
    public void close() {
        arena.close();
    }
}
