// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Graph;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.network.Architectures;

/** About how large a process becomes, in MiB. Estimates lie within a factor of two or so; they are made without training. */
public final class MemoryEstimate {

    /** The Java runtime and libtorch by themselves. */
    private static final long BASE = 350;

    private MemoryEstimate() {}

    /** Some trainings side by side: the data, a step, all states, and parameters with their moments. */
    public static long training(Graph graph, DetectorOptions options, int atATime) {
        Architecture architecture = options.architecture();
        Architecture.Shape shape = new Architecture.Shape(
                graph.features().columns(),
                graph.classes().size() - options.leftOut().size());
        long edges = graph.adjacency().edges();
        long perTraining = dataBytes(graph, options)
                + architecture.stepBytes(options.model(), shape, graph.nodes(), edges)
                + statesBytes(graph, options)
                + 20 * Architectures.parameters(architecture, shape, options.model());
        return BASE + ((atATime * perTraining) >> 20);
    }

    /** Scoring: the data and all states, natively and on the heap. */
    public static long scoring(Graph graph, DetectorOptions options) {
        return BASE + ((dataBytes(graph, options) + statesBytes(graph, options)) >> 20);
    }

    /** Features and edges on the heap, and natively for both sides of an epoch. */
    private static long dataBytes(Graph graph, DetectorOptions options) {
        long perFeature = graph.features() instanceof SparseMatrix ? 16 : 4;
        return 3 * perFeature * graph.features().stored()
                + 64L * options.model().layers() * graph.adjacency().edges();
    }

    private static long statesBytes(Graph graph, DetectorOptions options) {
        return 12L * graph.nodes() * options.model().hidden() * (options.model().layers() + 1);
    }
}
