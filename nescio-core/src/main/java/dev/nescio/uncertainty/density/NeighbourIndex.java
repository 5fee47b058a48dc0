// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import java.util.ServiceLoader;

/** Builds graphs of neighbours and walks them. Found by {@link ServiceLoader}: the optional module nescio-hnsw brings one. */
public interface NeighbourIndex {

    /** The same rows give the same graph. */
    NeighbourGraph build(DenseMatrix rows);

    /** A search over the rows that the graph was built from. Approximate: {@link #recall} measures how good. */
    NeighbourSearch over(NeighbourGraph graph, DenseMatrix rows, int k);

    /** The one that is there. */
    static NeighbourIndex load() {
        return ServiceLoader.load(NeighbourIndex.class)
                .findFirst()
                .orElseThrow(() -> new BadConfiguration(
                        "search=hnsw needs the module nescio-hnsw on the class path; search=exact does without"));
    }

    /** The share of the true k nearest rows that a search finds. */
    default double recall(NeighbourGraph graph, DenseMatrix rows, int k, DenseMatrix queries) {
        try (NeighbourSearch exact = new NearestNeighbours(rows, k);
                NeighbourSearch walk = over(graph, rows, k)) {
            double[] truth = exact.search(queries).distances();
            double[] found = walk.search(queries).distances();
            int hits = 0;
            for (int q = 0; q < queries.rows(); q++) {
                for (int i = 0; i < k; i++) {
                    // By distance, so that rows at the same distance count alike.
                    hits += found[q * k + i] <= truth[q * k + k - 1] ? 1 : 0;
                }
            }
            return hits / (double) truth.length;
        }
    }
}
