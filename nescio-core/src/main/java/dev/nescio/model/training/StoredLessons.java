// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Neighbours;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.block.StoredNodes;
import dev.nescio.model.layer.NeighbourSampler;
import dev.nescio.random.Seed;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A graph that need not fit into memory: batches are read from files, validation is exact. */
final class StoredLessons implements Lessons, AutoCloseable {

    /** The part of the memory that the surroundings of the validation nodes may take. */
    private static final double VALIDATION_SHARE = 0.3;
    /** Matrices of that size that a pass holds at a time, about. */
    private static final int COPIES = 8;

    private final BlockGraph graph;
    private final Graph nodes;
    private final UnaryOperator<Matrix> preparation;
    private final BlockPass.Options options;
    private final int width;
    private final StoredNodes stored;

    /** @param nodes the nodes of the graph with the labels to learn from */
    StoredLessons(
            BlockGraph graph,
            Graph nodes,
            UnaryOperator<Matrix> preparation,
            BlockPass.Options options,
            ModelOptions model) {
        this.graph = graph;
        this.nodes = nodes;
        this.preparation = preparation;
        this.options = options;
        this.width = Math.max(graph.features(), model.hidden() * model.multiplier());
        this.stored = new StoredNodes(graph, preparation, options.folder());
    }

    @Override
    public Graph nodes() {
        return nodes;
    }

    @Override
    public int features() {
        return graph.features();
    }

    @Override
    public Batches batches(
            Architecture architecture, Network network, Split split, TrainingOptions training, Seed seed) {
        return new SampledBatches(architecture, network, nodes, stored.surroundings(), split, training, seed);
    }

    @Override
    public Judgement.Judge judge(Network network, NodeSet validation, Supplier<Model> now) {
        long most = (long) (VALIDATION_SHARE * options.memory() / ((double) Float.BYTES * width * COPIES));
        if (reach(stored, validation, network.layers(), most) <= most) {
            NeighbourSampler all = new NeighbourSampler(stored.surroundings(), network.layers(), List.of());
            return new FlowJudge(network, nodes, validation, all.draw(validation, new Seed(0).rng()));
        }
        return new BlockJudge(graph, preparation, nodes.labels(), validation, options, now);
    }

    /** How many nodes can be heard within some rounds; stops counting behind a number. */
    static long reach(Neighbours graph, NodeSet targets, int rounds, long most) {
        BitSet reached = new BitSet(graph.nodes());
        targets.stream().forEach(reached::set);
        BitSet edge = (BitSet) reached.clone();
        long count = targets.size();
        for (int round = 0; round < rounds && count <= most; round++) {
            BitSet next = new BitSet(graph.nodes());
            for (int node = edge.nextSetBit(0); node >= 0 && count <= most; node = edge.nextSetBit(node + 1)) {
                for (int neighbour : graph.row(node)) {
                    if (!reached.get(neighbour)) {
                        reached.set(neighbour);
                        next.set(neighbour);
                        count++;
                    }
                }
            }
            edge = next;
        }
        return count;
    }

    @Override
    public void close() {
        stored.close();
    }
}
