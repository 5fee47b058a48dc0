package dev.nescio.model;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.SparseOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A graph in native memory, prepared for messages that run through a number of layers to some target nodes. Nothing is
 * approximated: layer l computes just the nodes that a target can hear of in the layers after it.
 *
 * <p>Nodes are put in the order of their distance from the targets, so that the nodes of a layer are always the first
 * rows of the layer before: the target nodes first, in ascending order, then their neighbours, and so on.
 */
public final class MessageFlow implements AutoCloseable {

    private final Arena arena = new Arena();
    private final int[] order;
    private final int[] counts;
    private final FeatureTensor features;
    private final List<SparseOperator> normalisedSums;

    private MessageFlow(Graph graph, int[] order, int[] counts) {
        this.order = order;
        this.counts = counts;
        boolean unchanged = isIdentity(order);
        this.features = FeatureTensor.of(
                unchanged ? graph.features() : graph.features().select(Arrays.copyOf(order, counts[0])), arena);
        this.normalisedSums = normalisedSums(graph.adjacency());
    }

    /** Messages to some nodes. */
    public static MessageFlow to(NodeSet targets, Graph graph, int layers) {
        Adjacency adjacency = graph.adjacency();
        int[] order = new int[graph.nodes()];
        boolean[] placed = new boolean[graph.nodes()];
        int[] counts = new int[layers + 1];
        int placedCount = 0;
        for (int node : targets.toArray()) {
            order[placedCount++] = node;
            placed[node] = true;
        }
        counts[layers] = placedCount;
        for (int l = layers - 1; l >= 0; l--) {
            int from = l + 2 > layers ? 0 : counts[l + 2];
            for (int i = from; i < counts[l + 1]; i++) {
                for (int e = adjacency.pointers()[order[i]]; e < adjacency.pointers()[order[i] + 1]; e++) {
                    int neighbour = adjacency.neighbours()[e];
                    if (!placed[neighbour]) {
                        placed[neighbour] = true;
                        order[placedCount++] = neighbour;
                    }
                }
            }
            Arrays.sort(order, counts[l + 1], placedCount);
            counts[l] = placedCount;
        }
        return new MessageFlow(graph, order, counts);
    }

    /** Messages to all nodes. */
    public static MessageFlow toAll(Graph graph, int layers) {
        int[] counts = new int[layers + 1];
        Arrays.fill(counts, graph.nodes());
        return new MessageFlow(graph, IntStream.range(0, graph.nodes()).toArray(), counts);
    }

    /** Features of the nodes that layer 0 computes. */
    public FeatureTensor features() {
        return features;
    }

    /** How many nodes the output of layer l has; l = 0 is the input block. */
    public int nodes(int layer) {
        return counts[layer];
    }

    /**
     * The neighbourhood sum of layer l = 1..L with self-loops and symmetric normalisation, {@code sum over u in N(v) and v
     * of x_u / sqrt(d_u d_v)}: [nodes(l - 1), d] to [nodes(l), d].
     */
    public SparseOperator normalisedSum(int layer) {
        return normalisedSums.get(layer - 1);
    }

    private List<SparseOperator> normalisedSums(Adjacency adjacency) {
        int[] position = new int[order.length];
        for (int i = 0; i < counts[0]; i++) {
            position[order[i]] = i;
        }
        List<SparseOperator> sums = new ArrayList<>();
        for (int l = 1; l < counts.length; l++) {
            boolean same = l > 1 && counts[l] == counts[l - 1] && counts[l - 1] == counts[l - 2];
            sums.add(same ? sums.get(l - 2) : SparseOperator.of(normalised(adjacency, position, l), arena));
        }
        return sums;
    }

    private SparseMatrix normalised(Adjacency adjacency, int[] position, int layer) {
        int rows = counts[layer];
        int[] pointers = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            pointers[i + 1] = pointers[i] + adjacency.degree(order[i]) + 1;
        }
        int[] columns = new int[pointers[rows]];
        float[] values = new float[pointers[rows]];
        for (int i = 0; i < rows; i++) {
            int v = order[i];
            int next = pointers[i];
            double own = Math.sqrt(adjacency.degree(v) + 1.0);
            columns[next] = i;
            values[next++] = (float) (1 / (own * own));
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                int u = adjacency.neighbours()[e];
                columns[next] = position[u];
                values[next++] = (float) (1 / (own * Math.sqrt(adjacency.degree(u) + 1.0)));
            }
        }
        return SparseMatrix.of(counts[layer - 1], pointers, columns, values);
    }

    private static boolean isIdentity(int[] order) {
        return IntStream.range(0, order.length).allMatch(i -> order[i] == i);
    }

    @Override
    public void close() {
        arena.close();
    }
}
