// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.graph.Adjacency;
import dev.nescio.matrix.SparseMatrix;

/**
 * Who hears whom in one round of messages. Target i is source i, so that what targets hold are the first rows of what sources hold;
 * the sources behind them are neighbours only.
 *
 * <p>Row i may hold some of the neighbours of target i: the sum over them then stands for the sum over all, each counting as often as
 * there are neighbours for one that is there.
 *
 * @param targets how many nodes hear
 * @param pointers where the edges into each target begin, and behind the last one where they end
 * @param sources the source of every edge
 * @param degrees how many neighbours each source has in the whole graph
 */
public record Neighbourhood(int targets, int[] pointers, int[] sources, int[] degrees) {

    /** A whole graph, whose nodes all hear. */
    static Neighbourhood of(Adjacency graph) {
        return new Neighbourhood(graph.nodes(), graph.pointers(), graph.neighbours(), graph.degrees());
    }

    /** Whether every node is a neighbour of its own. */
    public enum Loops {
        WITH,
        WITHOUT
    }

    /** {@code 1 / sqrt(d_u d_v)} for every edge from u to v; the loop of a node is its first edge. [targets, sources]. */
    SparseMatrix normalised(Loops loops) {
        int loop = loops == Loops.WITH ? 1 : 0;
        int[] begins = new int[targets + 1];
        for (int i = 0; i < targets; i++) {
            begins[i + 1] = Math.addExact(begins[i], pointers[i + 1] - pointers[i] + loop);
        }
        double[] roots = roots(loop);
        int[] columns = new int[begins[targets]];
        float[] values = new float[begins[targets]];
        for (int i = 0; i < targets; i++) {
            int next = begins[i];
            double own = Math.sqrt(degrees[i] + loop);
            if (loops == Loops.WITH) {
                columns[next] = i;
                values[next++] = (float) (1 / (own * own));
            }
            int present = pointers[i + 1] - pointers[i];
            double each = present == degrees[i] ? 1 : degrees[i] / (double) present;
            for (int e = pointers[i]; e < pointers[i + 1]; e++) {
                int u = sources[e];
                columns[next] = u;
                values[next++] = (float) (each / (own * roots[u]));
            }
        }
        return SparseMatrix.of(degrees.length, begins, columns, values);
    }

    /** Of the degrees of all sources. A node that hears nobody may still be heard, where edges have directions. */
    private double[] roots(int loop) {
        double[] roots = new double[degrees.length];
        for (int u = 0; u < roots.length; u++) {
            roots[u] = Math.sqrt(Math.max(1, degrees[u] + loop));
        }
        return roots;
    }
}
