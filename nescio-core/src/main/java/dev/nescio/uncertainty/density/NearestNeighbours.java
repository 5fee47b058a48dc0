package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Parallel;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The k nearest of a fixed set of rows, by Euclidean distance, exactly.
 *
 * <p>A block of queries is compared with all rows by one matrix product in floats, which finds a few more candidates than
 * k. Their distances are computed again from differences in doubles. Where the rounding of the product could have hidden
 * a nearer row, which the error bound of a float product tells, the query is repeated in doubles.
 */
public final class NearestNeighbours implements AutoCloseable {

    /** Entries of the largest block of the product: 64 MiB of floats. */
    private static final int BLOCK_ENTRIES = 1 << 24;

    private static final int MOST_ROWS = 1024;
    private static final int SPARE_CANDIDATES = 4;
    private static final double FLOAT_ROUNDING = 0x1p-24;

    private final Arena arena = new Arena();
    private final DenseMatrix references;
    private final int k;
    private final Tensor transposed;
    private final Tensor squaredNorms;
    private final double largestNorm;

    public NearestNeighbours(DenseMatrix references, int k) {
        if (k < 1 || k > references.rows()) {
            throw new BadConfiguration("k must be at least 1 and at most the number of training nodes, got k = " + k
                    + ", training nodes = " + references.rows());
        }
        this.references = references;
        this.k = k;
        this.transposed = Scope.run(() -> arena.own(Tensor.of(references).transposed()));
        this.squaredNorms = Scope.run(() -> arena.own(transposed.transposed().squaredRowNorms()));
        double largest = 0;
        for (double squared : squaredNorms()) {
            largest = Math.max(largest, squared);
        }
        this.largestNorm = Math.sqrt(largest);
    }

    /** Row numbers and distances of the k nearest, k per query, nearest first. */
    public record Found(int k, int[] rows, double[] distances) {}

    /** How many queries one call of {@link #search} takes best. */
    public int blockRows() {
        return Math.max(16, Math.min(MOST_ROWS, BLOCK_ENTRIES / references.rows()));
    }

    public Found search(DenseMatrix queries) {
        Found found = new Found(k, new int[queries.rows() * k], new double[queries.rows() * k]);
        boolean[] certain = new boolean[queries.rows()];
        Candidates rough = Scope.run(() -> candidates(Tensor.of(queries), transposed, squaredNorms));
        Parallel.ranges(queries.rows(), 64, (from, to) -> {
            for (int q = (int) from; q < to; q++) {
                certain[q] = refine(queries, q, rough, q, found);
            }
        });
        repeatInDoubles(queries, certain, found);
        return found;
    }

    /** {@code |b|^2 - 2 ab}: the squared distance but for {@code |a|^2}, which is the same for a whole row. */
    private Candidates candidates(Tensor queries, Tensor columns, Tensor norms) {
        int count = Math.min(references.rows(), k + SPARE_CANDIDATES);
        Tensor.Smallest smallest = queries.product(columns, norms, -2).smallest(count);
        return new Candidates(count, smallest.columns().toInts(), smallest.values().toDoubles());
    }

    private record Candidates(int count, int[] rows, double[] values) {}

    private void repeatInDoubles(DenseMatrix queries, boolean[] certain, Found found) {
        List<Integer> open = new ArrayList<>();
        for (int q = 0; q < certain.length; q++) {
            if (!certain[q]) {
                open.add(q);
            }
        }
        if (open.isEmpty()) {
            return;
        }
        int[] again = open.stream().mapToInt(Integer::intValue).toArray();
        Candidates exact = Scope.run(() -> {
            Tensor columns = transposed.toDouble();
            Tensor norms = columns.transposed().squaredRowNorms();
            return candidates(Tensor.of(queries.select(again)).toDouble(), columns, norms);
        });
        for (int i = 0; i < again.length; i++) {
            refine(queries, again[i], exact, i, found);
        }
    }

    /** Sorts the candidates of one query by their true distance; tells whether no other row can be nearer. */
    private boolean refine(DenseMatrix queries, int q, Candidates candidates, int at, Found found) {
        int count = candidates.count;
        int[] rows = new int[count];
        double[] squared = new double[count];
        for (int c = 0; c < count; c++) {
            int row = candidates.rows[at * count + c];
            double distance = squaredDistance(queries, q, row);
            int place = c;
            while (place > 0 && squared[place - 1] > distance) {
                squared[place] = squared[place - 1];
                rows[place] = rows[place - 1];
                place--;
            }
            squared[place] = distance;
            rows[place] = row;
        }
        for (int i = 0; i < k; i++) {
            found.rows[q * k + i] = rows[i];
            found.distances[q * k + i] = Math.sqrt(squared[i]);
        }
        double norm = norm(queries, q);
        double farthest = candidates.values[at * count + count - 1] + norm * norm;
        return count == references.rows() || squared[k - 1] <= farthest - roundingError(norm);
    }

    private double roundingError(double norm) {
        int dimensions = references.columns();
        double sum = norm + largestNorm;
        return FLOAT_ROUNDING * (2 * dimensions * norm * largestNorm + 8 * sum * sum);
    }

    private double squaredDistance(DenseMatrix queries, int q, int row) {
        int dimensions = references.columns();
        float[] a = queries.values();
        float[] b = references.values();
        int i = q * dimensions;
        int j = row * dimensions;
        double sum = 0;
        for (int d = 0; d < dimensions; d++) {
            double difference = (double) a[i + d] - b[j + d];
            sum += difference * difference;
        }
        return sum;
    }

    private double norm(DenseMatrix queries, int q) {
        double sum = 0;
        int dimensions = queries.columns();
        for (int i = q * dimensions; i < (q + 1) * dimensions; i++) {
            sum += (double) queries.values()[i] * queries.values()[i];
        }
        return Math.sqrt(sum);
    }

    private double[] squaredNorms() {
        return Scope.run(squaredNorms::toDoubles);
    }

    @Override
    public void close() {
        arena.close();
    }
}
