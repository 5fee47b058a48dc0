// SPDX-License-Identifier: Apache-2.0
package dev.nescio.testing;

import dev.nescio.matrix.DenseMatrix;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden vectors: values of every formula, computed by other means. */
public final class Golden {

    private static final JsonNode ROOT = load();

    private Golden() {}

    private static JsonNode load() {
        try (InputStream in = Golden.class.getResourceAsStream("/golden_vectors.json")) {
            return JsonMapper.builder().build().readTree(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode at(String... path) {
        JsonNode node = ROOT;
        for (String key : path) {
            node = node.path(key);
        }
        if (node.isMissingNode()) {
            throw new IllegalArgumentException("no golden vector " + String.join(".", path));
        }
        return node;
    }

    public static double[] doubles(String... path) {
        JsonNode node = at(path);
        double[] values = new double[node.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = node.get(i).asDouble();
        }
        return values;
    }

    public static int[] ints(String... path) {
        JsonNode node = at(path);
        int[] values = new int[node.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = node.get(i).asInt();
        }
        return values;
    }

    public static DenseMatrix matrix(String... path) {
        List<float[]> rows = new ArrayList<>();
        for (JsonNode row : at(path)) {
            float[] values = new float[row.size()];
            for (int j = 0; j < values.length; j++) {
                values[j] = (float) row.get(j).asDouble();
            }
            rows.add(values);
        }
        return DenseMatrix.of(rows.toArray(float[][]::new));
    }
}
