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
import dev.nescio.tensor.Parallel;
import dev.nescio.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/**
 * A trained network: immutable, on the heap, safe to share between threads.
 *
 * @param parameters by name
 */
public record Model(
        Architecture architecture, Architecture.Shape shape, ModelOptions options, Map<String, NdArray> parameters) {

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
        return open(graph, nodes, (network, flow) -> Scope.run(() -> Gradients.off(() -> forward(network, flow))));
    }

    /** The same of some nodes of a graph that is looked at row by row: costs their surroundings, however large the graph is. */
    public Forward forward(Surroundings graph, NodeSet nodes) {
        return open(graph, nodes, (network, flow) -> Scope.run(() -> Gradients.off(() -> forward(network, flow))));
    }

    /** Rounds of messages: so far away can a node be and still be heard. */
    public int rounds() {
        try (Weights weights = Weights.of(parameters)) {
            return architecture.network(weights, shape, options).layers();
        }
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

    /** Puts network and graph into native memory for as long as the body runs. */
    private <T> T open(Graph graph, NodeSet nodes, BiFunction<Network, MessageFlow, T> body) {
        requireFeatures(graph.name(), graph.features().columns());
        boolean isAll = nodes.size() == graph.nodes();
        return open(layers -> isAll ? MessageFlow.toAll(graph, layers) : MessageFlow.to(nodes, graph, layers), body);
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
        try (Weights weights = Weights.of(parameters)) {
            Network network = architecture.network(weights, shape, options);
            try (MessageFlow flow = flows.apply(network.layers())) {
                return body.apply(network, flow);
            }
        }
    }

    private Forward forward(Network network, MessageFlow flow) {
        List<Forward.State> states = new ArrayList<>();
        int targets = flow.nodes(network.layers());
        DenseMatrix logits = network.logits(
                        flow,
                        Dropout.OFF,
                        (name, values) -> states.add(new Forward.State(
                                name, values.firstRows(targets).toMatrix())))
                .toMatrix();
        boolean isEvidential = architecture.isEvidential();
        return new Forward(logits, states, isEvidential ? logits : null);
    }
}
