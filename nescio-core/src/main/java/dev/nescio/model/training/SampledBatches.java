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
import dev.nescio.tensor.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
        Rng rng = seed.split(epoch).rng();
        List<NodeSet> batches = batches(rng);
        try (Ahead flows = new Ahead(batches.size(), number -> sampler.draw(batches.get(number), rng))) {
            for (int number = 0; number < batches.size(); number++) {
                NodeSet batch = batches.get(number);
                Split part = split.with(batch, split.validation(), split.test());
                try (Arena arena = new Arena();
                        MessageFlow flow = flows.next()) {
                    Objective objective = architecture.objective(network, nodes, part, training, arena);
                    double share = batch.size() / (double) split.train().size();
                    listener.batch(number, share, objective, flow);
                }
            }
        }
    }

    private List<NodeSet> batches(Rng rng) {
        int[] order = split.train().toArray();
        rng.shuffle(order);
        List<NodeSet> batches = new ArrayList<>();
        for (int from = 0; from < order.length; from += training.batchNodes()) {
            int to = (int) Math.min(order.length, from + (long) training.batchNodes());
            batches.add(NodeSet.of(Arrays.copyOfRange(order, from, to)));
        }
        return batches;
    }

    /** Draws a batch while the one before it is learned from: one at a time, in their order. */
    private static final class Ahead implements AutoCloseable {

        private final int count;
        private final IntFunction<MessageFlow> draw;
        private int number;
        private @Nullable Supplier<MessageFlow> pending;

        Ahead(int count, IntFunction<MessageFlow> draw) {
            this.count = count;
            this.draw = draw;
            begin();
        }

        private void begin() {
            int next = number++;
            pending = next < count ? Parallel.beside(() -> draw.apply(next)) : null;
        }

        MessageFlow next() {
            Supplier<MessageFlow> drawn = Objects.requireNonNull(pending);
            pending = null;
            MessageFlow flow = drawn.get();
            begin();
            return flow;
        }

        @Override
        public void close() {
            if (pending != null) {
                pending.get().close();
            }
        }
    }

    @Override
    public void close() {}
}
