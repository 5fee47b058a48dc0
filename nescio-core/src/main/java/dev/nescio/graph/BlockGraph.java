// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A graph that is read by blocks of consecutive nodes, because it need not fit into memory. Only the number of neighbours of every node
 * is known all the time. One reader at a time.
 */
public interface BlockGraph {

    /** What the graph is called. */
    String name();

    /** The number of nodes. */
    int nodes();

    /** The number of features per node. */
    int features();

    /** How many neighbours every node has; shared, not to be changed. */
    int[] degrees();

    /** The neighbours of some consecutive nodes. */
    Links links(int from, int count);

    /** The features of some consecutive nodes: [count, features]. */
    Matrix features(int from, int count);

    /** The ids of some consecutive nodes. */
    List<String> ids(int from, int count);

    /** Whether nodes are called by their numbers. */
    boolean isNumbered();

    /** The class of every node by its number, {@link Graph#UNLABELLED} where it is not known; shared, not to be changed. */
    int[] labels();

    /** The names of the classes. */
    List<String> classes();

    /** How tables became features; null where the graph did not come from tables. */
    @Nullable
    TableSchema schema();

    /** The nodes with their labels alone, called by their numbers: no edges, no features. */
    default Graph nodesAlone() {
        return Graph.builder(name(), Adjacency.empty(nodes()))
                .labels(labels(), classes())
                .build();
    }

    /** Directed edges: an undirected edge counts twice. */
    default long edges() {
        return Arrays.stream(degrees()).asLongStream().sum();
    }

    /**
     * Neighbours of consecutive nodes.
     *
     * @param pointers where those of each node begin, and behind the last one where they end
     * @param neighbours by their numbers, ascending for each node
     */
    record Links(int[] pointers, int[] neighbours) {}

    /** A graph that is in memory, seen by blocks. */
    static BlockGraph of(Graph graph) {
        Adjacency adjacency = graph.adjacency();
        int[] degrees = adjacency.degrees();
        int[] labels = graph.labels();
        return new BlockGraph() {
            @Override
            public String name() {
                return graph.name();
            }

            @Override
            public int nodes() {
                return graph.nodes();
            }

            @Override
            public int features() {
                return graph.features().columns();
            }

            @Override
            public int[] degrees() {
                return degrees;
            }

            @Override
            public Links links(int from, int count) {
                int begin = adjacency.pointers()[from];
                int[] pointers = new int[count + 1];
                for (int i = 0; i <= count; i++) {
                    pointers[i] = adjacency.pointers()[from + i] - begin;
                }
                return new Links(
                        pointers,
                        Arrays.copyOfRange(
                                adjacency.neighbours(), begin, adjacency.pointers()[from + count]));
            }

            @Override
            public Matrix features(int from, int count) {
                return graph.features() instanceof DenseMatrix dense
                        ? DenseMatrix.of(
                                count,
                                dense.columns(),
                                Arrays.copyOfRange(
                                        dense.values(), from * dense.columns(), (from + count) * dense.columns()))
                        : graph.features()
                                .select(IntStream.range(from, from + count).toArray());
            }

            @Override
            public List<String> ids(int from, int count) {
                return IntStream.range(from, from + count)
                        .mapToObj(graph.ids()::name)
                        .toList();
            }

            @Override
            public int[] labels() {
                return labels;
            }

            @Override
            public List<String> classes() {
                return graph.classes();
            }

            @Override
            public @Nullable TableSchema schema() {
                return graph.schema();
            }

            @Override
            public boolean isNumbered() {
                return graph.ids() instanceof NodeIds.Numbered;
            }
        };
    }
}
