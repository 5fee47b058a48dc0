// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Surroundings;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Weights;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Kept;
import dev.nescio.tensor.NativeMatrix;
import dev.nescio.tensor.Parallel;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A trained network: immutable, on the heap, safe to share between threads.
 *
 * @param parameters by name
 */
public record Model(
        Architecture architecture, Architecture.Shape shape, ModelOptions options, Map<String, NdArray> parameters) {

    /** What stays in native memory for the next pass, of all networks together, and of all graphs. */
    private static final long KEPT_BYTES = 256L << 20;

    private static final Kept<OpenNetwork> NETWORKS = new Kept<>(KEPT_BYTES, open -> open.weights.bytes());
    private static final Kept<MessageFlow> FLOWS = new Kept<>(KEPT_BYTES, MessageFlow::bytes);

    /** Keeps an unmodifiable copy of the map; the arrays in it are shared. They are checked when the network is first used. */
    public Model {
        parameters = Map.copyOf(parameters);
    }

    /** Logits and all hidden states of every node, in evaluation mode. */
    public Forward forward(Graph graph) {
        return forward(graph, NodeSet.all(graph.nodes()));
    }

    /** The same of some nodes, ascending: only what they can hear of is computed. */
    public Forward forward(Graph graph, NodeSet nodes) {
        return open(graph, nodes, this::toHeap);
    }

    /** The same of some nodes of a graph that is looked at row by row: costs their surroundings, however large the graph is. */
    public Forward forward(Surroundings graph, NodeSet nodes) {
        return open(graph, nodes, this::toHeap);
    }

    /**
     * One pass over some nodes, ascending, whose hidden states stay in native memory while somebody looks at what it says. A state
     * is copied to the heap only where its numbers are asked for; nothing of it can be read afterwards.
     */
    public <T> T look(Graph graph, NodeSet nodes, Function<Forward, T> body) {
        return open(graph, nodes, (network, flow) -> look(network, flow, body));
    }

    private <T> T look(Network network, MessageFlow flow, Function<Forward, T> body) {
        try (Arena arena = new Arena()) {
            Forward forward = Scope.run(
                    () -> Gradients.off(() -> forward(network, flow, values -> NativeMatrix.of(values, arena))));
            return body.apply(forward);
        }
    }

    /** Rounds of messages: so far away can a node be and still be heard. */
    public int rounds() {
        return NETWORKS.with(List.of(this), this::inNativeMemory, open -> open.network.layers());
    }

    /** Logits alone of every node, in evaluation mode. */
    public DenseMatrix logits(Graph graph) {
        return logits(graph, NodeSet.all(graph.nodes()));
    }

    /** Logits alone of some nodes, in evaluation mode. */
    public DenseMatrix logits(Graph graph, NodeSet nodes) {
        return open(graph, nodes, Model::logits);
    }

    /** Logits alone of some nodes of a graph that is looked at row by row. */
    public DenseMatrix logits(Surroundings graph, NodeSet nodes) {
        return open(graph, nodes, Model::logits);
    }

    private static DenseMatrix logits(Network network, MessageFlow flow) {
        return Scope.run(() -> Gradients.off(() ->
                network.logits(flow, Dropout.OFF, Network.StateListener.NONE).toMatrix()));
    }

    /** The same network on the same nodes without any edge. */
    public Forward forwardWithoutEdges(Graph graph) {
        return forward(graph.withoutEdges());
    }

    /** Is told the logits of a random pass, by any thread. */
    @FunctionalInterface
    public interface PassListener {
        /** Takes the logits of one pass, [nodes, classes]; passes are counted from 0. Calls may overlap. */
        void pass(int number, DenseMatrix logits);
    }

    /**
     * Passes with dropout as in training for some nodes, side by side on the cores; pass i depends on the seed and on i
     * alone, and on which nodes are asked for.
     *
     * @param listener is told each pass, in any order
     */
    public void randomPasses(Graph graph, NodeSet nodes, int count, Seed seed, PassListener listener) {
        open(graph, nodes, (network, flow) -> {
            try (Arena arena = new Arena()) {
                Network prepared = Gradients.off(() -> network.prepared(flow, arena));
                Parallel.sideBySide(count, i -> {
                    Dropout dropout = new Dropout(options.dropout(), seed.split(i));
                    listener.pass(
                            i,
                            Scope.run(
                                    () -> Gradients.off(() -> prepared.logits(flow, dropout, Network.StateListener.NONE)
                                            .toMatrix())));
                });
            }
            return null;
        });
    }

    /** Runs with network and graph in native memory, where they may have been before and may stay for the next time. */
    private <T> T open(Graph graph, NodeSet nodes, BiFunction<Network, MessageFlow, T> body) {
        requireFeatures(graph.name(), graph.features().columns());
        if (nodes.size() < graph.nodes()) {
            return open(layers -> MessageFlow.to(nodes, graph, layers), body);
        }
        return NETWORKS.with(
                List.of(this),
                this::inNativeMemory,
                open -> FLOWS.with(
                        List.of(graph, options, architecture),
                        () -> MessageFlow.toAll(graph, open.network.layers()),
                        flow -> body.apply(open.network, flow)));
    }

    private OpenNetwork inNativeMemory() {
        Weights weights = Weights.of(parameters);
        try {
            return new OpenNetwork(weights, architecture.network(weights, shape, options));
        } catch (RuntimeException e) {
            weights.close();
            throw e;
        }
    }

    /** A network whose parameters are in native memory. */
    private record OpenNetwork(Weights weights, Network network) implements AutoCloseable {

        @Override
        public void close() {
            weights.close();
        }
    }

    private <T> T open(Surroundings graph, NodeSet nodes, BiFunction<Network, MessageFlow, T> body) {
        requireFeatures(graph.name(), graph.width());
        return open(layers -> MessageFlow.to(nodes, graph, layers), body);
    }

    private void requireFeatures(String name, int width) {
        if (width != shape.features()) {
            throw new BadInput(
                    name + " has " + width + " features per node, but the model was trained on " + shape.features());
        }
    }

    private <T> T open(IntFunction<MessageFlow> flows, BiFunction<Network, MessageFlow, T> body) {
        return NETWORKS.with(List.of(this), this::inNativeMemory, open -> {
            try (MessageFlow flow = flows.apply(open.network.layers())) {
                return body.apply(open.network, flow);
            }
        });
    }

    private Forward toHeap(Network network, MessageFlow flow) {
        return Scope.run(() -> Gradients.off(() -> forward(network, flow, Tensor::toMatrix)));
    }

    /** @param keep what becomes of a state, [target nodes, width] */
    private Forward forward(Network network, MessageFlow flow, Function<Tensor, DenseMatrix> keep) {
        List<Forward.State> states = new ArrayList<>();
        int targets = flow.nodes(network.layers());
        DenseMatrix logits = network.logits(
                        flow,
                        Dropout.OFF,
                        (name, values) -> states.add(new Forward.State(name, keep.apply(values.firstRows(targets)))))
                .toMatrix();
        boolean isEvidential = architecture.isEvidential();
        return new Forward(logits, states, isEvidential ? logits : null);
    }
}
