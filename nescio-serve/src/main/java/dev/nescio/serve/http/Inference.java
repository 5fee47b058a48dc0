// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.NescioException;
import dev.nescio.progress.Progress;
import dev.nescio.serve.state.NodeAnswer;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import dev.nescio.uncertainty.Evidence;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The Open Inference Protocol, version 2, for detectors of states that another network has made. */
final class Inference {

    private static final double ALPHA = 0.05;
    private static final String LOGITS = "logits";
    private static final String VERSION = "1";

    private final Live live;

    Inference(Live live) {
        this.live = live;
    }

    /** A refusal as the protocol has it: a text, no more. */
    static byte[] error(String message) {
        return Json.MAPPER.writeValueAsBytes(Map.of("error", message));
    }

    void server(Context context) {
        Json.answer(context, Map.of("name", "nescio", "version", DetectorFile.version(), "extensions", List.of()));
    }

    private Live.States model(Context context) {
        Live.States states = live.states();
        String name = context.pathParam("name");
        if (states == null && live.storeOrNull() == null) {
            throw new Refused(503, "the service is loading");
        }
        if (states == null || !states.name().equals(name)) {
            throw new Refused(404, "there is no model '" + State.shortened(name) + "'");
        }
        String version = context.pathParamMap().get("version");
        if (version != null && !version.equals(VERSION)) {
            throw new Refused(404, "there is no version '" + State.shortened(version) + "', but " + VERSION);
        }
        return states;
    }

    void ready(Context context) {
        Json.answer(context, Map.of("name", model(context).name(), "ready", true));
    }

    void metadata(Context context) {
        Live.States model = model(context);
        EmbeddingDetector detector = model.detector();
        List<Map<String, Object>> inputs = new ArrayList<>();
        for (int i = 0; i < detector.widths().size(); i++) {
            inputs.add(tensor(input(i), "FP32", List.of(-1, detector.widths().get(i))));
        }
        List<Map<String, Object>> outputs = new ArrayList<>();
        outputs.add(tensor("epistemic", "FP64", List.of(-1)));
        outputs.add(tensor("p_value", "FP64", List.of(-1)));
        outputs.add(tensor("flagged", "BOOL", List.of(-1)));
        if (detector.logits() > 0) {
            inputs.add(tensor(LOGITS, "FP32", List.of(-1, detector.logits())));
            outputs.add(tensor("predicted", "BYTES", List.of(-1)));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", model.name());
        answer.put("versions", List.of(VERSION));
        answer.put("platform", "nescio");
        answer.put("inputs", inputs);
        answer.put("outputs", outputs);
        Json.answer(context, answer);
    }

    private static String input(int state) {
        return "state_" + state;
    }

    private static Map<String, Object> tensor(String name, String type, List<Integer> shape) {
        Map<String, Object> tensor = new LinkedHashMap<>();
        tensor.put("name", name);
        tensor.put("datatype", type);
        tensor.put("shape", shape);
        return tensor;
    }

    void infer(Context context) {
        Live.States model = model(context);
        BinaryTensors tensors = BinaryTensors.of(
                Bodies.read(context, live.limits().bodyBytes(), live.limits()), context.header(BinaryTensors.HEADER));
        ObjectNode body = Json.object(tensors.json(), Set.of("id", "parameters", "inputs", "outputs"));
        Map<String, DenseMatrix> inputs = inputs(body, tensors);
        tensors.requireEnd();
        EmbeddingDetector detector = model.detector();
        List<DenseMatrix> states = new ArrayList<>();
        for (int i = 0; i < detector.widths().size(); i++) {
            states.add(require(inputs, input(i), detector.widths().get(i)));
        }
        Evidence evidence = evidence(detector, inputs, states);
        Scores scores;
        try {
            scores = live.compute(() -> detector.score(evidence, NodeIds.numbered(evidence.nodes()), Progress.NONE));
        } catch (NescioException e) {
            throw new Refused(422, String.valueOf(e.getMessage()));
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("model_name", model.name());
        answer.put("model_version", VERSION);
        JsonNode id = body.get("id");
        if (id != null && id.isString()) {
            answer.put("id", id.stringValue());
        }
        answer.put("outputs", chosen(outputs(scores), body.get("outputs")));
        Json.answer(context, answer);
    }

    private static Evidence evidence(
            EmbeddingDetector detector, Map<String, DenseMatrix> inputs, List<DenseMatrix> states) {
        try {
            Evidence evidence = Evidence.of(states, NodeSet.of());
            return detector.logits() == 0 ? evidence : evidence.withLogits(require(inputs, LOGITS, detector.logits()));
        } catch (NescioException e) {
            throw new Refused(422, String.valueOf(e.getMessage()));
        }
    }

    private static DenseMatrix require(Map<String, DenseMatrix> inputs, String name, int width) {
        DenseMatrix input = inputs.get(name);
        if (input == null) {
            throw new Refused(400, "the input '" + name + "' is missing");
        }
        if (input.columns() != width) {
            throw new Refused(
                    400, "the input '" + name + "' has " + input.columns() + " columns, but the model wants " + width);
        }
        return input;
    }

    private Map<String, DenseMatrix> inputs(ObjectNode body, BinaryTensors tensors) {
        JsonNode list = body.get("inputs");
        if (list == null || !list.isArray()) {
            throw new Refused(400, "'inputs' must be a list of tensors");
        }
        Map<String, DenseMatrix> inputs = new LinkedHashMap<>();
        for (JsonNode tensor : list) {
            JsonNode name = tensor.get("name");
            JsonNode shape = tensor.get("shape");
            JsonNode data = tensor.get("data");
            if (name == null || !name.isString() || shape == null || !shape.isArray() || shape.size() != 2) {
                throw new Refused(400, "every input needs a 'name' and a 'shape' of two numbers");
            }
            if (BinaryTensors.isBinary(tensor)) {
                float[] values = tensors.next(name.stringValue(), tensor);
                inputs.put(name.stringValue(), matrix(name.stringValue(), shape, values));
                continue;
            }
            if (data == null || !data.isArray()) {
                throw new Refused(
                        400, "the input '" + State.shortened(name.stringValue()) + "' needs 'data' as a list");
            }
            List<Float> values = new ArrayList<>();
            flatten(name.stringValue(), data, values);
            float[] flat = new float[values.size()];
            for (int i = 0; i < flat.length; i++) {
                flat[i] = values.get(i);
            }
            inputs.put(name.stringValue(), matrix(name.stringValue(), shape, flat));
        }
        return inputs;
    }

    private DenseMatrix matrix(String name, JsonNode shape, float[] flat) {
        boolean areWhole = shape.get(0).canConvertToInt() && shape.get(1).canConvertToInt();
        int rows = areWhole ? shape.get(0).intValue() : -1;
        int columns = areWhole ? shape.get(1).intValue() : -1;
        if (rows < 1 || columns < 1 || rows > live.limits().nodes()) {
            throw new Refused(
                    400,
                    "the shape of '" + State.shortened(name) + "' must be from 1 to "
                            + live.limits().nodes() + " rows of at least one column");
        }
        if ((long) rows * columns != flat.length) {
            throw new Refused(
                    400,
                    "the input '" + State.shortened(name) + "' has " + flat.length + " values, but its shape holds "
                            + (long) rows * columns);
        }
        return DenseMatrix.of(rows, columns, flat);
    }

    private static void flatten(String name, JsonNode data, List<Float> values) {
        for (JsonNode value : data) {
            if (value.isArray()) {
                flatten(name, value, values);
            } else if (value.isNumber() && Float.isFinite((float) value.doubleValue())) {
                values.add((float) value.doubleValue());
            } else {
                throw new Refused(400, "the input '" + State.shortened(name) + "' must hold finite numbers");
            }
        }
    }

    private static Map<String, Map<String, Object>> outputs(Scores scores) {
        boolean isKnown = scores.calibration().knows(scores.estimator());
        Decisions decisions =
                Decisions.of(scores, isKnown ? Decisions.Wishes.NONE.withAlpha(ALPHA) : Decisions.Wishes.NONE);
        Map<String, Map<String, Object>> outputs = new LinkedHashMap<>();
        int rows = scores.nodes();
        put(
                outputs,
                "epistemic",
                "FP64",
                IntStream.range(0, rows)
                        .mapToObj(i -> NodeAnswer.finite(scores.epistemic()[i]))
                        .toList(),
                rows);
        double[] pValues = decisions.pValues();
        boolean[] flagged = decisions.flagged();
        if (pValues != null && flagged != null) {
            put(
                    outputs,
                    "p_value",
                    "FP64",
                    IntStream.range(0, rows)
                            .mapToObj(i -> NodeAnswer.finite(pValues[i]))
                            .toList(),
                    rows);
            put(
                    outputs,
                    "flagged",
                    "BOOL",
                    IntStream.range(0, rows).mapToObj(i -> flagged[i]).toList(),
                    rows);
        }
        if (scores.hasPredictions()) {
            put(
                    outputs,
                    "predicted",
                    "BYTES",
                    IntStream.range(0, rows).mapToObj(scores::predicted).toList(),
                    rows);
        }
        return outputs;
    }

    private static void put(
            Map<String, Map<String, Object>> outputs, String name, String type, List<?> data, int rows) {
        Map<String, Object> tensor = tensor(name, type, List.of(rows));
        tensor.put("data", data);
        outputs.put(name, tensor);
    }

    /** Those that were asked for; all where nobody says. */
    private static List<Map<String, Object>> chosen(
            Map<String, Map<String, Object>> outputs, @Nullable JsonNode wanted) {
        if (wanted == null || !wanted.isArray() || wanted.isEmpty()) {
            return List.copyOf(outputs.values());
        }
        List<Map<String, Object>> chosen = new ArrayList<>();
        for (JsonNode output : wanted) {
            JsonNode name = output.get("name");
            Map<String, Object> tensor = name == null || !name.isString() ? null : outputs.get(name.stringValue());
            if (tensor == null) {
                throw new Refused(400, "outputs are " + String.join(", ", outputs.keySet()));
            }
            chosen.add(tensor);
        }
        return chosen;
    }
}
