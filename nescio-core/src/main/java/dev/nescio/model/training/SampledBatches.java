// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.Surroundings;
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
    private final Graph nodes;
    private final Split split;
    private final TrainingOptions training;
    private final NeighbourSampler sampler;
    private final Seed seed;

    /**
     * @param nodes with their labels
     * @param graph the same nodes with neighbours and features
     */
    SampledBatches(
            Architecture architecture,
            Network network,
            Graph nodes,
            Surroundings graph,
            Split split,
            TrainingOptions training,
            Seed seed) {
        this.architecture = architecture;
        this.network = network;
        this.nodes = nodes;
        this.split = split;
        this.training = training;
        this.sampler = new NeighbourSampler(graph, network.layers(), training.neighbours());
        this.seed = seed;
    }

    @Override
    public void forEach(int epoch, Listener listener) {
        int[] order = split.train().toArray();
        Rng rng = seed.split(epoch).rng();
        rng.shuffle(order);
        int size = training.batchNodes();
        for (int from = 0, number = 0; from < order.length; from += size, number++) {
            NodeSet batch = NodeSet.of(Arrays.copyOfRange(order, from, Math.min(order.length, from + size)));
            Split part = split.with(batch, split.validation(), split.test());
            try (Arena arena = new Arena();
                    MessageFlow flow = sampler.draw(batch, rng)) {
                Objective objective = architecture.objective(network, nodes, part, training, arena);
                listener.batch(number, batch.size() / (double) order.length, objective, flow);
            }
        }
    }

    @Override
    public void close() {}
}
