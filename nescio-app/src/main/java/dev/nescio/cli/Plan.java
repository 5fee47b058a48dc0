package dev.nescio.cli;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.matrix.SparseMatrix;
import java.util.Locale;

/**
 * What a training would do, and what it would take.
 *
 * @param memoryMebibytes an estimate of the largest resident size of the process
 */
record Plan(
        String graph,
        int nodes,
        int edges,
        int features,
        int classes,
        String split,
        int training,
        int validation,
        int test,
        String model,
        int hidden,
        int layers,
        long parameters,
        long memoryMebibytes) {

    /** The Java runtime and libtorch by themselves. */
    private static final long BASE_MEBIBYTES = 350;

    static Plan of(Graph graph, Split split, DetectorOptions options) {
        int classes = graph.classes().size() - options.leftOut().size();
        int hidden = options.model().hidden();
        int layers = options.model().layers();
        int features = graph.features().columns();
        long inner = (long) options.model().multiplier() * hidden;
        long perLayer = 2L * hidden + hidden * inner + inner + inner * hidden + hidden;
        long parameters = (features + 1L) * hidden + layers * perLayer + 2L * hidden + (hidden + 1L) * classes;
        return new Plan(
                graph.name(),
                graph.nodes(),
                graph.adjacency().edges(),
                features,
                classes,
                split.name(),
                split.train().size(),
                split.validation().size(),
                split.test().size(),
                options.architecture(),
                hidden,
                layers,
                parameters,
                BASE_MEBIBYTES + (bytes(graph, options, parameters) >> 20));
    }

    /** Features and edges on the heap and natively for both sides of an epoch, the activations of a step, the states. */
    private static long bytes(Graph graph, DetectorOptions options, long parameters) {
        long stored = graph.features().stored() * (graph.features() instanceof SparseMatrix ? 16L : 4L);
        long edges = graph.adjacency().edges() * 64L * options.model().layers();
        long state = 4L * graph.nodes() * options.model().hidden();
        long activations =
                state * (4 + 6L * options.model().layers() * options.model().multiplier());
        long kept = state * (options.model().layers() + 1L) * 2;
        return 3 * stored + edges + activations + kept + 20 * parameters;
    }

    String text() {
        return String.format(
                Locale.ROOT,
                """
                graph       %s: %,d nodes, %,d directed edges, %,d features
                split       %s: %,d training, %,d validation, %,d test nodes, %d classes
                model       %s: %d layers of width %d, %,d parameters
                memory      about %,d MiB""",
                graph,
                nodes,
                edges,
                features,
                split,
                training,
                validation,
                test,
                classes,
                model,
                layers,
                hidden,
                parameters,
                memoryMebibytes);
    }
}
