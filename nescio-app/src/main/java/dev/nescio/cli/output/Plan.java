// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import com.sun.management.OperatingSystemMXBean;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.MemoryEstimate;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.model.Architecture;
import dev.nescio.model.network.Architectures;
import dev.nescio.tensor.Engine;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * What a training would do, and what it would take.
 *
 * @param memoryMebibytes an estimate of the largest resident size of the process
 */
public record Plan(
        String graph,
        int nodes,
        long edges,
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

    /** One detector: members of an ensemble are trained side by side. */
    public static Plan of(Graph graph, Split split, DetectorOptions options) {
        return of(graph, split, options, Math.min(Engine.threads(), options.networks()));
    }

    /** @param atATime trainings side by side */
    public static Plan of(Graph graph, Split split, DetectorOptions options, int atATime) {
        return of(BlockGraph.of(graph), split, options, MemoryEstimate.training(graph, options, atATime));
    }

    /** @param memoryMebibytes that a training takes */
    public static Plan of(BlockGraph graph, Split split, DetectorOptions options, long memoryMebibytes) {
        int classes = graph.classes().size() - options.leftOut().size();
        int hidden = options.model().hidden();
        int layers = options.model().layers();
        int features = graph.features();
        long parameters = Architectures.parameters(
                options.architecture(), new Architecture.Shape(features, classes), options.model());
        return new Plan(
                graph.name(),
                graph.nodes(),
                graph.edges(),
                features,
                classes,
                split.name(),
                split.train().size(),
                split.validation().size(),
                split.test().size(),
                options.architecture().name(),
                hidden,
                layers,
                parameters,
                memoryMebibytes);
    }

    /** A hint where this machine has less. */
    private String warning() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                        && system.getTotalMemorySize() >> 20 < memoryMebibytes
                ? String.format(
                        Locale.ROOT, ", more than the %,d MiB of this machine", system.getTotalMemorySize() >> 20)
                : "";
    }

    public String text() {
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
