// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.Forward;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Seed;
import dev.nescio.uncertainty.Prediction;
import java.util.Arrays;
import java.util.List;

/**
 * Some nodes with all that can be compared about them, kept to tell later whether others are still like them.
 *
 * @param states all hidden states side by side, [nodes, sum of their widths]
 * @param widths of the states
 * @param features as the network sees them
 * @param degrees numbers of neighbours
 * @param predicted numbers of the predicted classes
 */
public record ReferenceNodes(
        DenseMatrix states, List<Integer> widths, Matrix features, int[] degrees, int[] predicted) {

    /** Enough to see a difference of an eighth in the distribution of anything. */
    private static final int MOST = 500;

    private static final int MOST_VALUES = 1 << 22;

    /** Refuses an empty set, parts with different numbers of nodes, widths that do not add up, and negative degrees. */
    public ReferenceNodes {
        widths = List.copyOf(widths);
        int nodes = degrees.length;
        boolean isSound = nodes > 0
                && states.rows() == nodes
                && features.rows() == nodes
                && predicted.length == nodes
                && widths.stream().allMatch(width -> width > 0)
                && widths.stream().mapToLong(width -> width).sum() == states.columns()
                && Arrays.stream(degrees).allMatch(degree -> degree >= 0);
        if (!isSound) {
            throw new BadInput("the reference nodes do not have one state, degree, class and row of features each");
        }
    }

    /**
     * At most as many as are worth keeping, drawn by chance.
     *
     * @param graph prepared for the network
     */
    static ReferenceNodes of(Detector detector, Graph graph, NodeSet nodes) {
        NodeSet chosen = some(nodes, graph.features().columns());
        return of(
                detector.forwardPrepared(graph, chosen),
                graph.features().select(chosen.toArray()),
                chosen.stream().map(graph.adjacency()::degree).toArray());
    }

    /** The same of a graph to which something was added, whose features are raw. */
    static ReferenceNodes of(Detector detector, Overlay graph, NodeSet nodes) {
        NodeSet chosen = some(nodes, graph.base().features().columns());
        return of(
                detector.forward(graph, chosen),
                detector.options().preprocessing().apply(graph.features(chosen.toArray())),
                chosen.stream().map(graph::degree).toArray());
    }

    /** At most as many of some nodes as are worth keeping, drawn by chance. */
    static NodeSet some(NodeSet nodes, int features) {
        int most = Math.max(1, Math.min(MOST, MOST_VALUES / Math.max(1, features)));
        int[] some = nodes.toArray();
        if (some.length > most) {
            new Seed(0).split("reference").rng().shuffle(some);
            some = Arrays.copyOf(some, most);
        }
        return NodeSet.of(some);
    }

    /** Nodes of which all is known. */
    static ReferenceNodes of(Forward forward, Matrix features, int[] degrees) {
        List<DenseMatrix> matrices = forward.matrices();
        return new ReferenceNodes(
                joined(matrices),
                matrices.stream().map(DenseMatrix::columns).toList(),
                features,
                degrees,
                Prediction.of(forward.logits()).label());
    }

    int size() {
        return degrees.length;
    }

    /** The same with the first of the features alone. */
    ReferenceNodes withFeatures(int width) {
        float[] first = new float[Math.multiplyExact(size(), width)];
        for (int i = 0; i < first.length; i++) {
            first[i] = features.get(i / width, i % width);
        }
        return new ReferenceNodes(states, widths, DenseMatrix.of(size(), width, first), degrees, predicted);
    }

    private static DenseMatrix joined(List<DenseMatrix> states) {
        int rows = states.get(0).rows();
        int width = states.stream().mapToInt(DenseMatrix::columns).sum();
        float[] values = new float[Math.multiplyExact(rows, width)];
        int offset = 0;
        for (DenseMatrix state : states) {
            for (int r = 0; r < rows; r++) {
                System.arraycopy(state.values(), r * state.columns(), values, r * width + offset, state.columns());
            }
            offset += state.columns();
        }
        return DenseMatrix.of(rows, width, values);
    }

    /** What each column of the states is divided by so that every state counts alike: the mean length of its state. */
    double[] units() {
        double[] units = new double[states.columns()];
        int offset = 0;
        for (int width : widths) {
            double squares = 0;
            for (int r = 0; r < states.rows(); r++) {
                for (int c = offset; c < offset + width; c++) {
                    squares += (double) states.get(r, c) * states.get(r, c);
                }
            }
            double unit = Math.sqrt(squares / states.rows());
            Arrays.fill(units, offset, offset + width, unit > 0 ? unit : 1);
            offset += width;
        }
        return units;
    }

    DenseMatrix statesIn(double[] units) {
        float[] scaled = states.values().clone();
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = (float) (scaled[i] / units[i % units.length]);
        }
        return DenseMatrix.of(states.rows(), states.columns(), scaled);
    }
}
