// SPDX-License-Identifier: Apache-2.0
package dev.nescio.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.detector.StateSource;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.problem.BadInput;
import dev.nescio.tensor.Engine;
import dev.nescio.uncertainty.Evidence;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs ONNX models that return their layers. A model takes the features of all nodes (float, [nodes, features]) and, where it
 * wants them, the edges (int64, [2, directed edges], senders first). Each of its outputs has a row per node: the one that is called
 * {@code logits} is that, all others are hidden states, in their order.
 */
public final class OnnxStates implements StateSource {

    private static final String LOGITS = "logits";

    @Override
    public String kind() {
        return "onnx";
    }

    @Override
    public String version() {
        return "ONNX Runtime " + OrtEnvironment.getEnvironment().getVersion();
    }

    @Override
    public byte[] load(Path model) {
        return ExternalData.embedded(model);
    }

    @Override
    public Evidence run(byte[] model, String name, Graph graph) {
        ExternalData.requireNone(model, name);
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(Engine.threads());
            options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
            try (OrtSession session = environment.createSession(model, options)) {
                return run(environment, session, name, graph);
            }
        } catch (OrtException | IllegalStateException | IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new BadInput(name + " is not an ONNX model that can be run on " + graph.name() + ": " + reason, e);
        }
    }

    private static Evidence run(OrtEnvironment environment, OrtSession session, String name, Graph graph)
            throws OrtException {
        Map<String, OnnxTensor> inputs = new HashMap<>();
        try {
            for (NodeInfo input : session.getInputInfo().values()) {
                inputs.put(input.getName(), input(environment, input, name, graph));
            }
            try (OrtSession.Result result = session.run(inputs)) {
                return evidence(result, name, graph);
            }
        } finally {
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    private static OnnxTensor input(OrtEnvironment environment, NodeInfo input, String name, Graph graph)
            throws OrtException {
        OnnxJavaType type = input.getInfo() instanceof TensorInfo tensor ? tensor.type : OnnxJavaType.UNKNOWN;
        return switch (type) {
            case FLOAT ->
                OnnxTensor.createTensor(
                        environment,
                        FloatBuffer.wrap(features(graph).values()),
                        new long[] {graph.nodes(), graph.features().columns()});
            case INT64 ->
                OnnxTensor.createTensor(environment, LongBuffer.wrap(edges(graph)), new long[] {
                    2, graph.adjacency().edges()
                });
            default ->
                throw new BadInput(name + " expects an input '" + input.getName() + "' of type " + type
                        + "; supported inputs are features (float) and edges (int64)");
        };
    }

    private static DenseMatrix features(Graph graph) {
        return graph.features() instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) graph.features();
    }

    /** Senders in the first row, receivers in the second. */
    private static long[] edges(Graph graph) {
        int[] senders = graph.adjacency().neighbours();
        int[] receivers = graph.adjacency().rowOfEntry();
        long[] edges = new long[2 * senders.length];
        for (int e = 0; e < senders.length; e++) {
            edges[e] = senders[e];
            edges[senders.length + e] = receivers[e];
        }
        return edges;
    }

    private static Evidence evidence(OrtSession.Result result, String name, Graph graph) {
        List<DenseMatrix> states = new ArrayList<>();
        DenseMatrix logits = null;
        for (Map.Entry<String, OnnxValue> output : result) {
            DenseMatrix matrix = matrix(output.getValue(), name + ": output '" + output.getKey() + "'", graph.nodes());
            if (output.getKey().equals(LOGITS)) {
                logits = matrix;
            } else {
                states.add(matrix);
            }
        }
        Evidence evidence = Evidence.of(states, NodeSet.of()).on(graph);
        return logits == null ? evidence : evidence.withLogits(logits);
    }

    private static DenseMatrix matrix(OnnxValue value, String place, int nodes) {
        if (!(value instanceof OnnxTensor tensor) || tensor.getInfo().type != OnnxJavaType.FLOAT) {
            throw new BadInput(place + " does not hold floats");
        }
        long[] shape = tensor.getInfo().getShape();
        if (shape.length != 2 || shape[0] != nodes) {
            throw new BadInput(place + " does not have one row for each of the " + nodes + " nodes");
        }
        FloatBuffer buffer = tensor.getFloatBuffer();
        float[] values = new float[buffer.remaining()];
        buffer.get(values);
        DenseMatrix matrix = DenseMatrix.of(nodes, (int) shape[1], values);
        if (matrix.firstNotFinite() != null) {
            throw new BadInput(place + " holds a value that is not finite in row "
                    + matrix.firstNotFinite().row());
        }
        return matrix;
    }
}
