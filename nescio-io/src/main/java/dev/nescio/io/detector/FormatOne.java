// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What format 1 wrote, in terms of today: options were fields of records then, in manifests as JSON and in keys of stored work
 * as the text of a record.
 */
public final class FormatOne {

    private static final Map<String, String> RENAMED =
            Map.of("keep", "components", "energyNormalised", "energy", "rows", "normalise");
    private static final Pattern NESTED = Pattern.compile("[A-Z]\\w*\\[(?:\\w+=)?([^\\]]*)\\]");

    private FormatOne() {}

    /** The name of the option that a field became. */
    public static String name(String field) {
        return RENAMED.getOrDefault(field, field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }

    /** The value of an option as it is written today. */
    public static String value(String text) {
        if (text.startsWith("[")) {
            return text.substring(1, text.length() - 1).replaceAll(",\\s*", "|");
        }
        Matcher nested = NESTED.matcher(text);
        if (nested.matches()) {
            return switch (text.substring(0, text.indexOf('['))) {
                case "Everything" -> "none";
                case "Median", "Scale", "Scott" ->
                    text.substring(0, text.indexOf('[')).toLowerCase(Locale.ROOT);
                default -> nested.group(1);
            };
        }
        return text.matches("[A-Z][A-Z0-9_]*") ? text.toLowerCase(Locale.ROOT) : text;
    }

    /** The text of an estimator with those of some values that it has options for. */
    public static String estimator(String name, Map<String, String> values) {
        Estimator estimator = Estimators.named(name);
        Map<String, String> own = new LinkedHashMap<>(values);
        own.keySet().retainAll(estimator.options().names());
        return new EstimatorSpec(estimator, estimator.options().restore(own)).stored();
    }

    /** Changes a manifest of format 1 into one of format 2. */
    static void upgrade(ObjectNode manifest) {
        Map<String, String> values = new LinkedHashMap<>(options(manifest.remove("jlde")));
        values.putAll(options(manifest.remove("sampling")));
        List<String> names = manifest.path("estimators")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        ArrayNode texts = manifest.putArray("estimators");
        names.forEach(name -> texts.add(estimator(name, values)));
        manifest.put("format", 2);
        if (manifest.has("architecture")) {
            upgradeNetwork(manifest);
        }
        manifest.putIfAbsent("temperature", manifest.numberNode(1.0));
        manifest.putIfAbsent("schema", manifest.nullNode());
        manifest.putIfAbsent("calibratedOn", manifest.stringNode("no nodes"));
    }

    private static void upgradeNetwork(ObjectNode manifest) {
        if (manifest.get("model") instanceof ObjectNode model) {
            Map<String, String> choices = options(model.remove("choices"));
            Map<String, String> all = new LinkedHashMap<>(options(model));
            all.putAll(choices);
            put(manifest, "model", all);
        }
        put(manifest, "training", options(manifest.get("training")));
        put(manifest, "preprocessing", options(manifest.get("preprocessing")));
        Map<String, String> detector = new LinkedHashMap<>();
        detector.put("calibrate", Boolean.toString(manifest.path("calibrate").asBoolean(false)));
        detector.put("held-out", Double.toString(manifest.path("heldOut").asDouble(0)));
        put(manifest, "detector", detector);
        manifest.remove(List.of("calibrate", "heldOut"));
        manifest.putIfAbsent("networks", manifest.numberNode(1));
    }

    private static void put(ObjectNode manifest, String name, Map<String, String> texts) {
        ObjectNode node = manifest.putObject(name);
        texts.forEach(node::put);
    }

    private static Map<String, String> options(JsonNode fields) {
        Map<String, String> options = new LinkedHashMap<>();
        if (fields != null && fields.isObject()) {
            fields.properties().forEach(field -> options.put(name(field.getKey()), value(text(field.getValue()))));
        }
        return options;
    }

    private static String text(JsonNode value) {
        return value.isArray() ? value.toString() : value.asString();
    }
}
