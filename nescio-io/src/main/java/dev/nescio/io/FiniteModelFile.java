// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import dev.nescio.information.FiniteModel;
import dev.nescio.information.FiniteModels;
import dev.nescio.information.Joint;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Utf8;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a finite model from JSON: either every outcome,
 *
 * <pre>
 * {"name": "mine", "outcomes": [{"probability": 0.5, "label": 0, "shells": ["a", "b"], "layers": [0, 1]}, ...]}
 * </pre>
 *
 * or a path of three nodes as in the models P1 to P4,
 *
 * <pre>
 * {"name": "mine", "path": {"flips": [0.1, 0.3, 0.2], "opposite": true, "self": false}}
 * </pre>
 */
public final class FiniteModelFile {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long LONGEST = 64 << 20;

    private FiniteModelFile() {}

    /** A model by name, or from a file. */
    public static FiniteModel read(String source) {
        if (FiniteModels.names().contains(source)) {
            return FiniteModels.named(source);
        }
        Path file = Path.of(source);
        if (!Files.isRegularFile(file)) {
            throw new BadInput("there is no model '" + source + "': name a JSON file or one of "
                    + String.join(", ", FiniteModels.names()));
        }
        try {
            if (Files.size(file) > LONGEST) {
                throw new BadInput(file + " is too long to be enumerated");
            }
            return model(JSON.readTree(String.join("\n", Utf8.lines(file))), file.toString());
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        } catch (JacksonException e) {
            throw new BadInput(file + " is not JSON: " + Nearest.shortened(String.valueOf(e.getOriginalMessage())), e);
        }
    }

    private static FiniteModel model(JsonNode root, String place) {
        String name = root.has("name") ? root.get("name").asString() : place;
        if (root.has("path")) {
            return path(name, root.get("path"), place);
        }
        JsonNode outcomes = root.get("outcomes");
        if (outcomes == null || !outcomes.isArray() || outcomes.isEmpty()) {
            throw new BadInput(place + ": expected 'outcomes', a list, or 'path'");
        }
        List<Joint.Outcome> all = new ArrayList<>();
        int variables = 0;
        for (JsonNode outcome : outcomes) {
            String where = place + ", outcome " + all.size();
            List<Object> values = new ArrayList<>();
            values.add(part(outcome, "label", where).toString());
            part(outcome, "shells", where).forEach(value -> values.add(value.toString()));
            int shells = values.size() - 1;
            part(outcome, "layers", where).forEach(value -> values.add(value.toString()));
            if (values.size() != 2 * shells + 1) {
                throw new BadInput(where + ": there are " + shells + " shells and " + (values.size() - 1 - shells)
                        + " layers, but their numbers must be equal");
            }
            JsonNode probability = part(outcome, "probability", where);
            if (!probability.isNumber()) {
                throw new BadInput(where + ": the probability must be a number, got '" + probability + "'");
            }
            variables = values.size();
            all.add(new Joint.Outcome(probability.asDouble(), values));
        }
        try {
            return new FiniteModel(name, (variables - 3) / 2, new Joint(variables, all));
        } catch (BadInput e) {
            throw new BadInput(place + ": " + e.getMessage(), e);
        }
    }

    private static FiniteModel path(String name, JsonNode path, String place) {
        JsonNode flips = part(path, "flips", place);
        if (!flips.isArray() || flips.size() != 3) {
            throw new BadInput(place + ": 'flips' must be three probabilities");
        }
        double[] values = new double[3];
        for (int i = 0; i < 3; i++) {
            values[i] = flips.get(i).asDouble(Double.NaN);
            if (!(values[i] >= 0 && values[i] <= 1)) {
                throw new BadInput(place + ": a flip must lie between 0 and 1, got '" + flips.get(i) + "'");
            }
        }
        return FiniteModels.path(
                name,
                values,
                path.has("opposite") && path.get("opposite").asBoolean(),
                path.has("self") && path.get("self").asBoolean());
    }

    private static JsonNode part(JsonNode node, String name, String place) {
        JsonNode part = node.get(name);
        if (part == null) {
            throw new BadInput(place + ": '" + name + "' is missing");
        }
        return part;
    }
}
