// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.model.Architecture;
import dev.nescio.model.Network;
import dev.nescio.model.Objective;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.NeighbourSampler;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Arena;
import java.util.Arrays;

/** Some training nodes at a time, in an order of its own for every epoch, with some of the nodes that they hear. */
final class SampledBatches implements Batches {

    private final Architecture architecture;
    private final Network network;
    private final Graph graph;
    private final Split split;
    private final TrainingOptions training;
    private final NeighbourSampler sampler;
    private final Seed seed;

    SampledBatches(
            Architecture architecture, Network network, Graph graph, Split split, TrainingOptions training, Seed seed) {
        this.architecture = architecture;
        this.network = network;
        this.graph = graph;
        this.split = split;
        this.training = training;
        this.sampler = new NeighbourSampler(graph, network.layers(), training.neighbours());
        this.seed = seed;
    }

    @Override
    public void forEach(int epoch, Listener listener) {
        int[] nodes = split.train().toArray();
        Rng rng = seed.split(epoch).rng();
        rng.shuffle(nodes);
        int size = training.batchNodes();
        for (int from = 0, number = 0; from < nodes.length; from += size, number++) {
            NodeSet batch = NodeSet.of(Arrays.copyOfRange(nodes, from, Math.min(nodes.length, from + size)));
            Split part = split.with(batch, split.validation(), split.test());
            try (Arena arena = new Arena();
                    MessageFlow flow = sampler.draw(batch, rng)) {
                Objective objective = architecture.objective(network, graph, part, training, arena);
                listener.batch(number, batch.size() / (double) nodes.length, objective, flow);
            }
        }
    }

    @Override
    public void close() {}
}
