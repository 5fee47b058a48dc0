// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.Surroundings;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.NeighbourSampler;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.Trainer;
import dev.nescio.random.Rng;
import dev.nescio.tensor.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Steps of training on sampled neighbourhoods of a random graph: the same work as {@code benchmark/sampling.py}. An epoch has a given
 * number of steps and ends with the evaluation of one node.
 */
@CommandLine.Command(name = "sampling", mixinStandardHelpOptions = true)
final class SamplingBenchmark implements Callable<Integer> {

    @Option(names = "--nodes", defaultValue = "1000000")
    int nodes;

    @Option(names = "--edges", defaultValue = "10000000", description = "Undirected ones.")
    int edges;

    @Option(names = "--features", defaultValue = "64")
    int features;

    @Option(names = "--classes", defaultValue = "10")
    int classes;

    @Option(names = "--hidden", defaultValue = "64")
    int hidden;

    @Option(names = "--batch", defaultValue = "1024")
    int batch;

    @Option(names = "--neighbours", defaultValue = "10,10", split = ",")
    List<Integer> neighbours = List.of();

    @Option(names = "--steps", defaultValue = "20", description = "Of an epoch.")
    int steps;

    @Option(names = "--epochs", defaultValue = "12")
    int epochs;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Override
    public Integer call() {
        Engine.useThreads(threads);
        Graph graph = RandomGraph.make(nodes, edges, features, classes);
        int[] order = IntStream.range(0, nodes).toArray();
        new Rng(1).shuffle(order);
        NodeSet train = NodeSet.of(Arrays.copyOf(order, batch * steps));
        Split split = new Split("sampled", train, NodeSet.of(order[batch * steps]), NodeSet.of());
        List<Long> ends = new ArrayList<>();
        new Trainer(
                        Architectures.named("res-gcn"),
                        ModelOptions.of(hidden, neighbours.size(), 0.2, 1),
                        TrainingOptions.of(1e-3, 0, epochs, epochs, 0)
                                .with(TrainingOptions.BATCH_NODES, batch)
                                .with(TrainingOptions.NEIGHBOURS, neighbours))
                .train(graph, split, epoch -> ends.add(System.nanoTime()));
        double[] seconds = new double[ends.size() - 1];
        Arrays.setAll(seconds, i -> (ends.get(i + 1) - ends.get(i)) / 1e9);
        double step = Measure.median(seconds) / steps;
        int sampled = sampled(graph, NodeSet.of(Arrays.copyOf(order, batch)));
        System.out.printf(
                Locale.ROOT,
                "{\"nodes\": %d, \"batch\": %d, \"sampled\": %d, \"step_ms\": %.2f, \"sampled_per_s\": %.0f}%n",
                nodes,
                batch,
                sampled,
                1e3 * step,
                sampled / step);
        return 0;
    }

    /** Nodes that a batch hears, itself included. */
    private int sampled(Graph graph, NodeSet targets) {
        NeighbourSampler sampler = new NeighbourSampler(Surroundings.of(graph), neighbours.size(), neighbours);
        try (MessageFlow flow = sampler.draw(targets, new Rng(2))) {
            return flow.nodes(0);
        }
    }
}
