// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.random.Rng;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The matrix products of some work and nothing else, on operands that are already there: nobody can be faster. */
final class ProductsAlone implements AutoCloseable {

    /** Rows of the larger factor that are multiplied at a time: all of a distance matrix would not fit. */
    private static final int ROWS = 2048;

    private static final int COLUMNS = 1024;

    private final Arena arena = new Arena();
    private final List<Runnable> products = new ArrayList<>();

    /** The covariance of states, each [nodes, its width]. */
    ProductsAlone andCovariances(int nodes, List<Integer> widths) {
        widths.forEach(width -> {
            Tensor state = random(nodes, width);
            products.add(state::lowerGram);
        });
        return this;
    }

    /** States in their principal components. */
    ProductsAlone andProjections(int nodes, List<Integer> widths, List<Integer> kept) {
        for (int i = 0; i < kept.size(); i++) {
            add(random(nodes, widths.get(i)), random(widths.get(i), kept.get(i)));
        }
        return this;
    }

    /** All distances between rows of two matrices, in pieces that stay in the cache. */
    ProductsAlone andDistances(int queries, int rows, int dimensions) {
        Tensor left = random(queries, dimensions);
        for (int column = 0; column < rows; column += COLUMNS) {
            Tensor right = random(dimensions, Math.min(COLUMNS, rows - column));
            for (int from = 0; from < queries; from += ROWS) {
                int first = from;
                int count = Math.min(ROWS, queries - from);
                products.add(() -> left.rows(first, count).product(right));
            }
        }
        return this;
    }

    private void add(Tensor left, Tensor right) {
        products.add(() -> left.product(right));
    }

    private Tensor random(int rows, int columns) {
        return Scope.run(() -> arena.own(Tensor.of(RandomGraph.gaussian(rows, columns, 1, new Rng(rows + columns)))));
    }

    /** Multiplies once; in milliseconds. */
    double run() {
        long start = System.nanoTime();
        products.forEach(Scope::run);
        return (System.nanoTime() - start) / 1e6;
    }

    @Override
    public void close() {
        arena.close();
    }
}
