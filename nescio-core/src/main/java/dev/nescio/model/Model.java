package dev.nescio.model;

import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A trained network: immutable, on the heap, safe to share between threads.
 *
 * @param architecture name in {@link Architectures}
 * @param parameters by name
 */
public record Model(
        String architecture, Architecture.Shape shape, ModelOptions options, Map<String, NdArray> parameters) {

    public Model {
        parameters = Map.copyOf(parameters);
    }

    /** Logits and all hidden states of every node, in evaluation mode. */
    public Forward forward(Graph graph) {
        if (graph.features().columns() != shape.features()) {
            throw new BadInput(graph.name() + " has " + graph.features().columns()
                    + " features per node, but the model was trained on " + shape.features());
        }
        try (Weights weights = Weights.of(parameters)) {
            Network network = Architectures.named(architecture).network(weights, shape, options);
            try (MessageFlow flow = MessageFlow.toAll(graph, network.layers())) {
                return Scope.run(() -> Gradients.off(() -> forward(network, flow)));
            }
        }
    }

    /** The same network on the same nodes without any edge. */
    public Forward forwardWithoutEdges(Graph graph) {
        return forward(graph.withoutEdges());
    }

    private static Forward forward(Network network, MessageFlow flow) {
        List<Forward.State> states = new ArrayList<>();
        DenseMatrix logits = network.logits(
                        flow, Dropout.OFF, (name, values) -> states.add(new Forward.State(name, values.toMatrix())))
                .toMatrix();
        return new Forward(logits, states);
    }
}
