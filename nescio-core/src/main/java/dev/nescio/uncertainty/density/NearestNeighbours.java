// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.SmallestPerRow;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The k nearest of a fixed set of rows, by Euclidean distance, exactly.
 *
 * <p>Rows lie in the leaves of a {@link RowTree}. Every query is first compared with its nearest leaf, which tells how far
 * the k-th nearest row is at most, then with those leaves whose box is not farther. Queries are compared with a leaf by one
 * matrix product in floats, small enough to stay in the cache, which finds a few more candidates than k. Their distances
 * are computed again from differences in doubles. Where the rounding of the product could have hidden a nearer row, which
 * the error bound of a float product tells, every row that the bound cannot exclude is looked at in doubles.
 *
 * <p>Blocks of queries may be searched side by side by several threads.
 */
public final class NearestNeighbours implements NeighbourSearch {

    private static final int LEAF_ROWS = 512;
    private static final int MOST_QUERIES = 512;
    private static final int SPARE_CANDIDATES = 3;
    private static final double FLOAT_ROUNDING = 0x1p-24;

    private final Arena arena = new Arena();
    private final DenseMatrix references;
    private final int k;
    private final RowTree tree;
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
        this.tree = new RowTree(references, LEAF_ROWS);
        this.rows = Scope.run(() -> arena.own(Tensor.of(references.select(tree.order()))));
        this.squaredNorms = Scope.run(() -> arena.own(rows.squaredRowNorms()));
        this.largestNorm = IntStream.range(0, references.rows())
                .mapToDouble(row -> norm(references, row))
                .max()
                .orElseThrow();
    }

    @Override
    public Found search(DenseMatrix queries) {
        return Scope.run(() -> new Search(queries).run());
    }

    /** One search of a block of queries. */
    private final class Search {

        private final DenseMatrix queries;
        private final Tensor nativeQueries;
        private final SmallestPerRow candidates;
        private final Nearest[] nearest;
        private final double[] norms;
        /** Squared distance to the box of every leaf. */
        private final double[][] boxes;

        Search(DenseMatrix queries) {
            int count = Math.min(references.rows(), k + SPARE_CANDIDATES);
            this.queries = queries;
            this.nativeQueries = Tensor.of(queries);
            this.candidates = new SmallestPerRow(queries.rows(), count);
            this.nearest = new Nearest[queries.rows()];
            this.norms = new double[queries.rows()];
            this.boxes = new double[queries.rows()][];
        }

        Found run() {
            int[] home = new int[queries.rows()];
            for (int q = 0; q < home.length; q++) {
                nearest[q] = new Nearest(k);
                norms[q] = norm(queries, q);
                boxes[q] = tree.squaredDistances(queries, q);
                home[q] = smallest(boxes[q]);
            }
            visit((q, leaf) -> home[q] == leaf);
            double[] farthest =
                    IntStream.range(0, home.length).mapToDouble(this::farthest).toArray();
            visit((q, leaf) -> home[q] != leaf && boxes[q][leaf] <= farthest[q]);
            BitSet doubtful = new BitSet();
            double[] thresholds = new double[home.length];
            for (int q = 0; q < home.length; q++) {
                lookAtCandidates(q);
                thresholds[q] = threshold(q);
                doubtful.set(q, !(candidates.value(q, candidates.count() - 1) > thresholds[q]));
            }
            if (!doubtful.isEmpty() && candidates.count() < references.rows()) {
                resolve(doubtful, thresholds);
            }
            Found found = new Found(k, new int[home.length * k], new double[home.length * k]);
            for (int q = 0; q < home.length; q++) {
                nearest[q].copyTo(found, q);
            }
            return found;
        }

        /** At most so far is the k-th nearest row, squared, as far as candidates tell; rounding included. */
        private double farthest(int query) {
            float kth = candidates.value(query, k - 1);
            double sum = norms[query] + largestNorm;
            boolean overflows = !Float.isFinite(kth) || sum * sum > Float.MAX_VALUE;
            return overflows
                    ? Double.POSITIVE_INFINITY
                    : kth + norms[query] * norms[query] + error(norms[query], largestNorm);
        }

        /** By how much the comparison of two rows of these norms may be wrong. */
        private double error(double norm, double rowNorm) {
            double sum = norm + rowNorm;
            return FLOAT_ROUNDING * (2 * references.columns() * norm * rowNorm + 8 * sum * sum);
        }

        /** Compares with each leaf the queries that want it, and keeps the candidates. */
        private void visit(Wish wish) {
            forEachLeaf(wish, (comparisons, chosen, from) -> candidates.add(comparisons, chosen, from));
        }

        private void lookAtCandidates(int query) {
            nearest[query].clear();
            for (int c = 0; c < candidates.count(); c++) {
                if (candidates.value(query, c) < Float.POSITIVE_INFINITY) {
                    nearest[query].offer(queries, query, references, tree.order()[candidates.column(query, c)]);
                }
            }
        }

        /** Looks at every row that is not certainly too far. */
        private void resolve(BitSet doubtful, double[] thresholds) {
            double[] limits = Arrays.stream(nearest).mapToDouble(Nearest::limit).toArray();
            doubtful.stream().forEach(q -> nearest[q].clear());
            forEachLeaf((q, leaf) -> doubtful.get(q) && boxes[q][leaf] <= limits[q], (comparisons, chosen, from) -> {
                float[] values = comparisons.toFloats();
                int width = comparisons.columns();
                for (int i = 0; i < values.length; i++) {
                    int q = chosen[i / width];
                    if (!(values[i] > thresholds[q])) {
                        nearest[q].offer(queries, q, references, tree.order()[from + i % width]);
                    }
                }
            });
        }

        /**
         * What the comparison with a row may be at most, rounding included, if the row is as near as the k-th nearest so
         * far. Only rows whose norm differs from the query's by less than that distance can be; the others may have been
         * rounded as they please. Nothing is excluded where floats may have overflowed.
         */
        private double threshold(int query) {
            double norm = norms[query];
            double limit = nearest[query].limit();
            double rowNorm = Math.min(largestNorm, norm + Math.sqrt(limit));
            double sum = norm + rowNorm;
            boolean overflows =
                    !Float.isFinite(candidates.value(query, candidates.count() - 1)) || sum * sum > Float.MAX_VALUE;
            return overflows ? Double.POSITIVE_INFINITY : limit - norm * norm + error(norm, rowNorm);
        }

        private void forEachLeaf(Wish wish, Comparisons comparisons) {
            for (int l = 0; l < tree.leaves().size(); l++) {
                int leaf = l;
                int[] wanting = IntStream.range(0, queries.rows())
                        .filter(q -> wish.wants(q, leaf))
                        .toArray();
                Blocks.forEach(wanting.length, MOST_QUERIES, (first, count) -> {
                    int[] chosen = Arrays.copyOfRange(wanting, first, first + count);
                    Scope.run(() -> comparisons.add(
                            compare(chosen, tree.leaves().get(leaf)),
                            chosen,
                            tree.leaves().get(leaf).from()));
                });
            }
        }

        /** {@code |b|^2 - 2 ab}: the squared distance but for {@code |a|^2}, which is the same for a whole row. */
        private Tensor compare(int[] chosen, RowTree.Leaf leaf) {
            boolean isRange = chosen[chosen.length - 1] - chosen[0] == chosen.length - 1;
            Tensor some =
                    isRange ? nativeQueries.rows(chosen[0], chosen.length) : nativeQueries.select(Tensor.of(chosen));
            return some.product(
                    rows.rows(leaf.from(), leaf.size()).transposed(), squaredNorms.rows(leaf.from(), leaf.size()), -2);
        }
    }

    /** Whether a query is to be compared with a leaf. */
    @FunctionalInterface
    private interface Wish {
        boolean wants(int query, int leaf);
    }

    /** Is told the comparisons of some queries with the rows of a leaf. */
    @FunctionalInterface
    private interface Comparisons {
        void add(Tensor comparisons, int[] queries, int firstRow);
    }

    private static int smallest(double[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            best = values[i] < values[best] ? i : best;
        }
        return best;
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
