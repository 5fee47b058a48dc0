// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request of the Open Inference Protocol whose tensors follow the JSON as bytes, as clients of Triton send them unless told otherwise:
 * {@code Inference-Header-Content-Length} says how long the JSON is, {@code binary_data_size} how many bytes each input has.
 */
final class BinaryTensors {

    static final String HEADER = "Inference-Header-Content-Length";

    private final byte[] json;
    private final ByteBuffer rest;

    private BinaryTensors(byte[] json, ByteBuffer rest) {
        this.json = json;
        this.rest = rest;
    }

    /** @param length what the header says; null where there is none and the body is JSON alone */
    static BinaryTensors of(byte[] body, @Nullable String length) {
        int end = body.length;
        if (length != null) {
            try {
                end = Integer.parseInt(length.strip());
            } catch (NumberFormatException e) {
                end = -1;
            }
            if (end < 0 || end > body.length) {
                throw new Refused(400, "'" + HEADER + "' must be the length of the JSON that the body begins with");
            }
        }
        ByteBuffer rest = ByteBuffer.wrap(body, end, body.length - end).order(ByteOrder.LITTLE_ENDIAN);
        return new BinaryTensors(end == body.length ? body : Arrays.copyOf(body, end), rest);
    }

    byte[] json() {
        return json;
    }

    /** Whether the values of a tensor follow as bytes. */
    static boolean isBinary(JsonNode tensor) {
        JsonNode parameters = tensor.get("parameters");
        return parameters != null && parameters.has("binary_data_size");
    }

    /** The values of the next tensor. */
    float[] next(String name, JsonNode tensor) {
        JsonNode size = tensor.get("parameters").get("binary_data_size");
        JsonNode type = tensor.get("datatype");
        boolean isDouble = type != null && type.isString() && type.stringValue().equals("FP64");
        if (!isDouble
                && (type == null || !type.isString() || !type.stringValue().equals("FP32"))) {
            throw new Refused(400, "the 'datatype' of '" + State.shortened(name) + "' must be FP32 or FP64");
        }
        int width = isDouble ? Double.BYTES : Float.BYTES;
        int bytes = size.isIntegralNumber() && size.canConvertToInt() ? size.intValue() : -1;
        if (bytes < 0 || bytes % width != 0 || bytes > rest.remaining()) {
            throw new Refused(
                    400, "the input '" + State.shortened(name) + "' is said to have more or other bytes than follow");
        }
        float[] values = new float[bytes / width];
        for (int i = 0; i < values.length; i++) {
            values[i] = isDouble ? (float) rest.getDouble() : rest.getFloat();
            if (!Float.isFinite(values[i])) {
                throw new Refused(400, "the input '" + State.shortened(name) + "' must hold finite numbers");
            }
        }
        return values;
    }

    /** Refuses bytes that no tensor has asked for. */
    void requireEnd() {
        if (rest.hasRemaining()) {
            throw new Refused(400, rest.remaining() + " bytes behind the last input belong to nobody");
        }
    }
}
