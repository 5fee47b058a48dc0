package dev.nescio.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.Architectures;
import java.lang.management.ManagementFactory;
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
        long parameters = Architectures.parameters(
                Architectures.named(options.architecture()),
                new Architecture.Shape(features, classes),
                options.model());
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

    /** The same with the memory of several at a time. */
    Plan times(int count) {
        long memory = BASE_MEBIBYTES + count * (memoryMebibytes - BASE_MEBIBYTES);
        return new Plan(
                graph,
                nodes,
                edges,
                features,
                classes,
                split,
                training,
                validation,
                test,
                model,
                hidden,
                layers,
                parameters,
                memory);
    }

    /** What a training takes: the data, the activations of a step, all states, and the parameters with their moments. */
    private static long bytes(Graph graph, DetectorOptions options, long parameters) {
        int layers = options.model().layers();
        long state = stateBytes(graph, options);
        return dataBytes(graph, layers)
                + state * (8 + 10L * layers * options.model().multiplier())
                + state * 3 * (layers + 1L)
                + 20 * parameters;
    }

    /** What scoring takes: the data and all states, natively and on the heap. */
    static long scoreMebibytes(Graph graph, DetectorOptions options) {
        int layers = options.model().layers();
        long bytes = dataBytes(graph, layers) + stateBytes(graph, options) * 3 * (layers + 1L);
        return BASE_MEBIBYTES + (bytes >> 20);
    }

    /** Features and edges on the heap, and natively for both sides of an epoch. */
    private static long dataBytes(Graph graph, int layers) {
        long perFeature = graph.features() instanceof SparseMatrix ? 16 : 4;
        return 3 * perFeature * graph.features().stored()
                + 64L * layers * graph.adjacency().edges();
    }

    private static long stateBytes(Graph graph, DetectorOptions options) {
        return 4L * graph.nodes() * options.model().hidden();
    }

    /** A hint where this machine has less. */
    private String warning() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                        && system.getTotalMemorySize() >> 20 < memoryMebibytes
                ? String.format(
                        Locale.ROOT, ", more than the %,d MiB of this machine", system.getTotalMemorySize() >> 20)
                : "";
    }

    String text() {
        return String.format(
                Locale.ROOT,
                """
                graph       %s: %,d nodes, %,d directed edges, %,d features
                split       %s: %,d training, %,d validation, %,d test nodes, %d classes
                model       %s: %d layers of width %d, %,d parameters
                memory      about %,d MiB%s""",
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
                memoryMebibytes,
                warning());
    }
}
