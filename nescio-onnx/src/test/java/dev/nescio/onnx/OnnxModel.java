// SPDX-License-Identifier: Apache-2.0
package dev.nescio.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes small ONNX models: just enough of the protobuf format. */
final class OnnxModel {

    private static final int FLOAT = 1;
    private static final int INT64 = 7;

    private final ByteArrayOutputStream graph = new ByteArrayOutputStream();

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static void number(ByteArrayOutputStream out, int field, long value) {
        varint(out, field << 3);
        varint(out, value);
    }

    private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
        varint(out, field << 3 | 2);
        varint(out, value.length);
        out.writeBytes(value);
    }

    private static void text(ByteArrayOutputStream out, int field, String value) {
        bytes(out, field, value.getBytes(StandardCharsets.UTF_8));
    }

    OnnxModel node(String operator, String output, String... inputs) {
        return reducing(operator, "", output, inputs);
    }

    /** @param reduction the attribute of ScatterND; empty for none */
    OnnxModel reducing(String operator, String reduction, String output, String... inputs) {
        ByteArrayOutputStream node = new ByteArrayOutputStream();
        for (String input : inputs) {
            text(node, 1, input);
        }
        text(node, 2, output);
        text(node, 4, operator);
        if (!reduction.isEmpty()) {
            ByteArrayOutputStream attribute = new ByteArrayOutputStream();
            text(attribute, 1, "reduction");
            text(attribute, 4, reduction);
            number(attribute, 20, 3);
            bytes(node, 5, attribute.toByteArray());
        }
        bytes(graph, 1, node.toByteArray());
        return this;
    }

    OnnxModel floats(String name, int rows, int columns, float... values) {
        ByteBuffer raw = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            raw.putFloat(value);
        }
        return constant(name, FLOAT, raw.array(), rows, columns);
    }

    OnnxModel longs(String name, long... values) {
        ByteBuffer raw = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            raw.putLong(value);
        }
        return constant(name, INT64, raw.array(), values.length);
    }

    private OnnxModel constant(String name, int type, byte[] raw, int... shape) {
        ByteArrayOutputStream tensor = new ByteArrayOutputStream();
        for (int extent : shape) {
            number(tensor, 1, extent);
        }
        number(tensor, 2, type);
        text(tensor, 8, name);
        bytes(tensor, 9, raw);
        bytes(graph, 5, tensor.toByteArray());
        return this;
    }

    /** A matrix whose values lie in another file. */
    OnnxModel external(String name, int rows, int columns, String location, long offset) {
        ByteArrayOutputStream tensor = new ByteArrayOutputStream();
        number(tensor, 1, rows);
        number(tensor, 1, columns);
        number(tensor, 2, FLOAT);
        text(tensor, 8, name);
        for (String[] pair :
                new String[][] {{"location", location}, {"offset", "" + offset}, {"length", "" + 4L * rows * columns}
                }) {
            ByteArrayOutputStream entry = new ByteArrayOutputStream();
            text(entry, 1, pair[0]);
            text(entry, 2, pair[1]);
            bytes(tensor, 13, entry.toByteArray());
        }
        number(tensor, 14, 1);
        bytes(graph, 5, tensor.toByteArray());
        return this;
    }

    OnnxModel input(String name, boolean isFloat) {
        bytes(graph, 11, value(name, isFloat));
        return this;
    }

    OnnxModel output(String name) {
        bytes(graph, 12, value(name, true));
        return this;
    }

    /** A matrix of unknown extents. */
    private static byte[] value(String name, boolean isFloat) {
        ByteArrayOutputStream shape = new ByteArrayOutputStream();
        for (String extent : new String[] {"rows_" + name, "columns_" + name}) {
            ByteArrayOutputStream dimension = new ByteArrayOutputStream();
            text(dimension, 2, extent);
            bytes(shape, 1, dimension.toByteArray());
        }
        ByteArrayOutputStream tensor = new ByteArrayOutputStream();
        number(tensor, 1, isFloat ? FLOAT : INT64);
        bytes(tensor, 2, shape.toByteArray());
        ByteArrayOutputStream type = new ByteArrayOutputStream();
        bytes(type, 1, tensor.toByteArray());
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        text(info, 1, name);
        bytes(info, 2, type.toByteArray());
        return info.toByteArray();
    }

    byte[] build() {
        text(graph, 2, "g");
        ByteArrayOutputStream opset = new ByteArrayOutputStream();
        number(opset, 2, 16);
        ByteArrayOutputStream model = new ByteArrayOutputStream();
        number(model, 1, 8);
        bytes(model, 7, graph.toByteArray());
        bytes(model, 8, opset.toByteArray());
        return model.toByteArray();
    }
}
