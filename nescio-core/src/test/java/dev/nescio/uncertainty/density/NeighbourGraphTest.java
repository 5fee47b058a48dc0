package dev.nescio.uncertainty.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadModelFile;
import dev.nescio.testing.RandomGraphs;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighbourGraphTest {

    private final DenseMatrix rows = RandomGraphs.dense(3000, 12, 1);
    private final DenseMatrix queries = RandomGraphs.dense(200, 12, 2);

    @Test
    void findsNearlyAllNearestRows() {
        NeighbourGraph graph = NeighbourGraph.build(rows);

        assertThat(graph.recall(rows, 5, queries)).isGreaterThan(0.97);
        assertThat(graph.recall(rows, 5, rows.select(new int[] {0, 1, 2}))).isEqualTo(1);
    }

    @Test
    void distancesOfWhatItFindsAreExact() {
        try (NeighbourSearch search = NeighbourGraph.build(rows).over(rows, 5)) {
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
        NeighbourGraph one = NeighbourGraph.build(rows);
        NeighbourGraph two = NeighbourGraph.build(rows);

        assertThat(one.entry()).isEqualTo(two.entry());
        IntStream.range(0, one.levels().size())
                .forEach(l -> assertThat(one.levels().get(l).links())
                        .containsExactly(two.levels().get(l).links()));
    }

    @Test
    void aDamagedGraphIsRefused() {
        int[] two = {0, 1};
        NeighbourGraph.Level outside = new NeighbourGraph.Level(two, new int[] {0, 1, 2}, new int[] {1, 7});
        NeighbourGraph.Level falling = new NeighbourGraph.Level(two, new int[] {0, 2, 1}, new int[] {1});
        NeighbourGraph.Level sound = new NeighbourGraph.Level(two, new int[] {0, 1, 2}, new int[] {1, 0});

        assertThatThrownBy(() -> new NeighbourGraph(0, List.of(outside))).isInstanceOf(BadModelFile.class);
        assertThatThrownBy(() -> new NeighbourGraph(0, List.of(falling))).isInstanceOf(BadModelFile.class);
        assertThatThrownBy(() -> new NeighbourGraph(2, List.of(sound))).isInstanceOf(BadModelFile.class);
        assertThatThrownBy(() -> new NeighbourGraph(0, List.of())).isInstanceOf(BadModelFile.class);
    }
}
