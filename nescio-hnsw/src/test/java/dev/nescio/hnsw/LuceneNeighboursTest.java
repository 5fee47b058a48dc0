// SPDX-License-Identifier: Apache-2.0
package dev.nescio.hnsw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.testing.RandomGraphs;
import dev.nescio.uncertainty.density.NeighbourGraph;
import dev.nescio.uncertainty.density.NeighbourIndex;
import dev.nescio.uncertainty.density.NeighbourSearch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LuceneNeighboursTest {

    private final NeighbourIndex index = NeighbourIndex.load();
    private final DenseMatrix rows = RandomGraphs.dense(3000, 12, 1);
    private final DenseMatrix queries = RandomGraphs.dense(200, 12, 2);

    @Test
    void findsNearlyAllNearestRows() {
        NeighbourGraph graph = index.build(rows);

        assertThat(index.recall(graph, rows, 5, queries)).isGreaterThan(0.97);
        assertThat(index.recall(graph, rows, 5, rows.select(new int[] {0, 1, 2})))
                .isEqualTo(1);
    }

    @Test
    void distancesOfWhatItFindsAreExact() {
        try (NeighbourSearch search = index.over(index.build(rows), rows, 5)) {
            NeighbourSearch.Found found = search.search(queries);
            for (int i = 0; i < found.rows().length; i++) {
                double squared = 0;
                for (int d = 0; d < rows.columns(); d++) {
                    double difference = (double) queries.get(i / 5, d) - rows.get(found.rows()[i], d);
                    squared += difference * difference;
                }
                assertThat(found.distances()[i]).isEqualTo(Math.sqrt(squared));
                assertThat(i % 5 == 0 || found.distances()[i - 1] <= found.distances()[i])
                        .isTrue();
            }
        }
    }

    @Test
    void theSameRowsGiveTheSameGraph() {
        NeighbourGraph one = index.build(rows);
        NeighbourGraph two = index.build(rows);

        assertThat(one.entry()).isEqualTo(two.entry());
        IntStream.range(0, one.levels().size())
                .forEach(l -> assertThat(one.levels().get(l).links())
                        .containsExactly(two.levels().get(l).links()));
    }
}
