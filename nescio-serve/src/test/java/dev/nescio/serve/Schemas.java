// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** As much of JSON Schema as our document uses; what it does not know it refuses. */
final class Schemas {

    private static final List<String> KNOWN = List.of(
            "description",
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "anyOf",
            "enum",
            "$ref",
            "minimum",
            "maximum",
            "format");

    private final JsonNode document;

    Schemas(JsonNode document) {
        this.document = document;
    }

    /** What is wrong, each with its place; empty where nothing is. */
    List<String> problems(JsonNode schema, JsonNode value, String place) {
        for (String key : schema.propertyNames()) {
            if (!KNOWN.contains(key)) {
                return List.of(place + ": the schema says '" + key + "', which nobody checks");
            }
        }
        if (schema.has("$ref")) {
            String name = schema.get("$ref").stringValue().replace("#/components/schemas/", "");
            JsonNode there = document.get("components").get("schemas").get(name);
            return there == null ? List.of("no schema " + name) : problems(there, value, place);
        }
        if (schema.has("anyOf")) {
            List<String> all = new ArrayList<>();
            for (JsonNode choice : schema.get("anyOf")) {
                List<String> found = problems(choice, value, place);
                if (found.isEmpty()) {
                    return found;
                }
                all.addAll(found);
            }
            return all;
        }
        if (schema.has("enum")) {
            for (JsonNode choice : schema.get("enum")) {
                if (choice.equals(value)) {
                    return List.of();
                }
            }
            return List.of(place + ": " + value + " is none of " + schema.get("enum"));
        }
        return schema.has("type") ? ofType(schema, value, place) : List.of();
    }

    private List<String> ofType(JsonNode schema, JsonNode value, String place) {
        String type = schema.get("type").stringValue();
        boolean fits =
                switch (type) {
                    case "object" -> value.isObject();
                    case "array" -> value.isArray();
                    case "string" -> value.isString();
                    case "integer" -> value.isIntegralNumber();
                    case "number" -> value.isNumber();
                    case "boolean" -> value.isBoolean();
                    case "null" -> value.isNull();
                    default -> false;
                };
        if (!fits) {
            return List.of(place + ": " + value + " is not of type " + type);
        }
        List<String> problems = new ArrayList<>();
        if (value.isArray() && schema.has("items")) {
            for (int i = 0; i < value.size(); i++) {
                problems.addAll(problems(schema.get("items"), value.get(i), place + "[" + i + "]"));
            }
        }
        if (value.isObject()) {
            problems.addAll(ofObject(schema, value, place));
        }
        return problems;
    }

    private List<String> ofObject(JsonNode schema, JsonNode value, String place) {
        List<String> problems = new ArrayList<>();
        if (schema.has("required")) {
            for (JsonNode name : schema.get("required")) {
                if (!value.has(name.stringValue())) {
                    problems.add(place + ": " + name.stringValue() + " is missing");
                }
            }
        }
        JsonNode properties = schema.get("properties");
        JsonNode more = schema.get("additionalProperties");
        for (String name : value.propertyNames()) {
            String inner = place + "." + name;
            if (properties != null && properties.has(name)) {
                problems.addAll(problems(properties.get(name), value.get(name), inner));
            } else if (more != null && more.isObject()) {
                problems.addAll(problems(more, value.get(name), inner));
            } else if (more != null && more.isBoolean() && !more.booleanValue()) {
                problems.add(inner + " is not in the document");
            }
        }
        return problems;
    }
}
