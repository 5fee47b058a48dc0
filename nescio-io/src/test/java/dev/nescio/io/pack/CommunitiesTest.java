// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommunitiesTest {

    private static final int NODES = 12_000;

    @TempDir
    Path folder;

    /** Communities of so many nodes, nine of ten edges within one, and nodes numbered by chance. */
    private static Graph planted(int size) {
        Rng rng = new Seed(5).rng();
        int[] number = IntStream.range(0, NODES).toArray();
        rng.shuffle(number);
        int[] from = new int[5 * NODES];
        int[] to = new int[5 * NODES];
        for (int e = 0; e < from.length; e++) {
            int v = rng.nextInt(NODES);
            int begin = v / size * size;
            from[e] = number[v];
            to[e] = number[rng.nextInt(10) == 0 ? rng.nextInt(NODES) : begin + rng.nextInt(size)];
        }
        return graph(Adjacency.undirected(NODES, from, to).adjacency());
    }

    private static Graph graph(Adjacency adjacency) {
        float[] values = new float[adjacency.nodes() * 30];
        for (int v = 0; v < adjacency.nodes(); v++) {
            values[v * 30 + v % 30] = v + 1;
        }
        return Graph.builder("planted", adjacency)
                .features(DenseMatrix.of(adjacency.nodes(), 30, values).toSparse())
                .build();
    }

    /** Neighbours that blocks of some nodes have outside of themselves, all together. */
    private static long outside(BlockGraph graph, int block) {
        long sum = 0;
        for (int from = 0; from < graph.nodes(); from += block) {
            int begin = from;
            int end = Math.min(graph.nodes(), from + block);
            sum += Arrays.stream(graph.links(from, end - from).neighbours())
                    .filter(v -> v < begin || v >= end)
                    .distinct()
                    .count();
        }
        return sum;
    }

    private Path ordered(Graph graph) {
        Path file = folder.resolve("ordered.npk");
        BlockGraph blocks = BlockGraph.of(graph);
        Reordering.write(blocks, Communities.places(blocks), folder, "", file);
        return file;
    }

    @Test
    void blocksHaveFewNeighboursOutside() {
        for (int size : new int[] {100, 1000}) {
            Graph graph = planted(size);
            try (PackedGraph after = PackedGraph.open(ordered(graph))) {
                long chance = outside(BlockGraph.of(graph), 2000);
                assertThat(outside(after, 2000)).as("communities of %d", size).isLessThan(chance / 4);
                assertThat(after.edges()).isEqualTo(graph.adjacency().edges());
            }
        }
    }

    @Test
    void nodesKeepTheirNamesAndSparseFeatures() {
        try (PackedGraph after = PackedGraph.open(ordered(planted(100)))) {
            assertThat(after.features(0, 100)).isInstanceOf(SparseMatrix.class);
            for (int v = 0; v < NODES; v += 371) {
                int before = Integer.parseInt(after.ids(v, 1).get(0));
                assertThat(after.features(v, 1).get(0, before % 30)).isEqualTo(before + 1f);
            }
        }
    }

    @Test
    void everyNodeHasAPlaceOfItsOwn() {
        int[] all = IntStream.range(0, 5000).toArray();
        int[] centre = new int[5000];
        for (Adjacency adjacency : new Adjacency[] {
            Adjacency.empty(1),
            Adjacency.empty(5000),
            Adjacency.undirected(5000, centre, all).adjacency(),
            Adjacency.directed(5000, centre, all).adjacency()
        }) {
            int[] places = Communities.places(BlockGraph.of(graph(adjacency)));
            assertThat(Arrays.stream(places).sorted().toArray())
                    .isEqualTo(IntStream.range(0, adjacency.nodes()).toArray());
        }
    }

    @Test
    void noGroupIsLargerThanAllowed() {
        int[] part = IntStream.range(0, 1000).toArray();
        int[] next = IntStream.range(0, 1000).map(v -> (v + 1) % 1000).toArray();
        BlockGraph ring =
                BlockGraph.of(graph(Adjacency.undirected(1000, part, next).adjacency()));
        int[] groups = Groups.of(ring, part, 1000, 10);
        int[] sizes = new int[1000];
        Arrays.stream(groups).forEach(group -> sizes[group]++);
        assertThat(Arrays.stream(sizes).max()).hasValue(10);
    }
}
