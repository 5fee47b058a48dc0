// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.graph.Adjacency;
import dev.nescio.tensor.Parallel;

/** Averages over neighbourhoods, repeated: {@code x <- stay x + (1 - stay) mean of the neighbours}. */
public final class Diffusion {

    /** Nodes per task of {@link Parallel}. */
    private static final int GRAIN = 1024;

    private final Adjacency adjacency;
    private final double stay;
    private final boolean selfLoops;

    /** @param selfLoops whether a node counts among its own neighbours; otherwise a node without any hears zero */
    Diffusion(Adjacency adjacency, double stay, boolean selfLoops) {
        this.adjacency = adjacency;
        this.stay = stay;
        this.selfLoops = selfLoops;
    }

    /** Diffuses [nodes][columns] for some steps; the input stays as it is. */
    double[][] apply(double[][] values, int steps) {
        double[][] now = values;
        for (int step = 0; step < steps; step++) {
            double[][] next = new double[now.length][];
            double[][] before = now;
            Parallel.ranges(next.length, GRAIN, (from, to) -> {
                for (int v = (int) from; v < to; v++) {
                    next[v] = row(before, v);
                }
            });
            now = next;
        }
        return now;
    }

    private double[] row(double[][] now, int v) {
        int columns = now[v].length;
        double[] heard = selfLoops ? now[v].clone() : new double[columns];
        for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
            double[] neighbour = now[adjacency.neighbours()[e]];
            for (int c = 0; c < columns; c++) {
                heard[c] += neighbour[c];
            }
        }
        int count = adjacency.degree(v) + (selfLoops ? 1 : 0);
        for (int c = 0; c < columns; c++) {
            heard[c] = stay * now[v][c] + (count == 0 ? 0 : (1 - stay) * heard[c] / count);
        }
        return heard;
    }
}
