// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.graph.TableSchema;
import dev.nescio.serve.state.Additions;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes and edges that somebody brings. */
final class ScoreNew {

    private final Live live;

    ScoreNew(Live live) {
        this.live = live;
    }

    /** What was sent, and whether it is to be kept. */
    private record Given(Change.Keep what, boolean keep) {}

    void post(Context context) {
        State state = live.state();
        Boolean keep = new Query(context, Set.of("keep")).truth("keep");
        String key = Repeatable.key(context, live.limits());
        byte[] body = Bodies.read(context, live.limits().bodyBytes(), live.limits());
        String type = String.valueOf(context.contentType());
        Given given = type.startsWith("multipart/form-data")
                ? csv(state, type, body, Boolean.TRUE.equals(keep))
                : json(body, Boolean.TRUE.equals(keep));
        require(given.what, state.overlay().base().schema());
        Json.answer(
                context,
                given.keep
                        ? live.change(Repeatable.entry(key, given.what))
                        : live.compute(() -> Additions.score(state, given.what)));
    }

    private void require(Change.Keep what, @Nullable TableSchema schema) {
        if (what.nodes().isEmpty() && what.edges().isEmpty()) {
            throw new Refused(422, "there is nothing to score: 'nodes' and 'edges' are empty");
        }
        limit("nodes", what.nodes().size(), live.limits().nodes());
        limit("edges", what.edges().size(), live.limits().edges());
        Additions.requireColumns(what, schema);
    }

    private static void limit(String what, int given, int most) {
        if (given > most) {
            throw new Refused(413, "there are " + given + " " + what + ", but a request may have at most " + most);
        }
    }

    private Given csv(State state, String type, byte[] body, boolean keep) {
        Map<String, String> parts = Multipart.parts(type, body);
        for (String name : parts.keySet()) {
            if (!Set.of("nodes", "edges", "keep").contains(name)) {
                throw new Refused(
                        400, "there is no part '" + State.shortened(name) + "'; parts are nodes, edges and keep");
            }
        }
        CsvRows rows = new CsvRows(state.overlay().base(), live.limits());
        String nodes = parts.get("nodes");
        String edges = parts.get("edges");
        return new Given(
                new Change.Keep(
                        nodes == null || nodes.isBlank() ? List.of() : rows.nodes(nodes),
                        edges == null || edges.isBlank() ? List.of() : rows.edges(edges)),
                keep || "true".equals(parts.get("keep")));
    }

    private Given json(byte[] body, boolean keepInQuery) {
        ObjectNode object = Json.object(body, Set.of("nodes", "edges", "keep"));
        List<Change.NewNode> nodes = new ArrayList<>();
        for (JsonNode node : array(object, "nodes")) {
            nodes.add(node(node, nodes.size()));
            limit("nodes", nodes.size(), live.limits().nodes());
        }
        List<List<String>> edges = new ArrayList<>();
        for (JsonNode edge : array(object, "edges")) {
            edges.add(edge(edge, edges.size()));
            limit("edges", edges.size(), live.limits().edges());
        }
        JsonNode keep = object.get("keep");
        if (keep != null && !keep.isBoolean() && !keep.isNull()) {
            throw new Refused(400, "'keep' must be true or false");
        }
        return new Given(
                new Change.Keep(nodes, edges),
                keepInQuery || (keep != null && keep.isBoolean() && keep.booleanValue()));
    }

    private static Iterable<JsonNode> array(ObjectNode object, String field) {
        JsonNode value = object.get(field);
        if (value == null || value.isNull()) {
            return List.of();
        }
        if (!value.isArray()) {
            throw new Refused(400, "'" + field + "' must be a list");
        }
        return value;
    }

    private List<String> edge(JsonNode edge, int number) {
        if (!edge.isArray() || edge.size() != 2 || !isId(edge.get(0)) || !isId(edge.get(1))) {
            throw new Refused(400, "edge " + number + " must be a list of two ids");
        }
        return List.of(id(edge.get(0)), id(edge.get(1)));
    }

    private static boolean isId(@Nullable JsonNode value) {
        return value != null && (value.isString() || value.isIntegralNumber());
    }

    private String id(JsonNode value) {
        return Json.name(value.asString(), "id", live.limits().text());
    }

    private Change.NewNode node(JsonNode node, int number) {
        if (!(node instanceof ObjectNode object)) {
            throw new Refused(400, "node " + number + " must be an object with an 'id'");
        }
        for (String name : object.propertyNames()) {
            if (!Set.of("id", "columns", "features").contains(name)) {
                throw new Refused(
                        400,
                        "node " + number + " has a field '" + State.shortened(name)
                                + "'; fields are id, columns and features");
            }
        }
        if (!isId(object.get("id"))) {
            throw new Refused(400, "node " + number + " has no 'id'");
        }
        JsonNode columns = object.get("columns");
        JsonNode features = object.get("features");
        boolean hasColumns = columns != null && !columns.isNull();
        boolean hasFeatures = features != null && !features.isNull();
        if (hasColumns == hasFeatures) {
            throw new Refused(400, "node " + number + " must have 'columns' or 'features', and not both");
        }
        String id = id(object.get("id"));
        return hasFeatures
                ? new Change.NewNode(id, null, features(features, number))
                : new Change.NewNode(id, columns(columns, number), null);
    }

    private static float[] features(JsonNode features, int number) {
        if (!features.isArray()) {
            throw new Refused(400, "the 'features' of node " + number + " must be a list of numbers");
        }
        float[] values = new float[features.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode value = features.get(i);
            if (!value.isNumber() || !Float.isFinite((float) value.doubleValue())) {
                throw new Refused(422, "feature " + i + " of node " + number + " must be a finite number of 32 bits");
            }
            values[i] = (float) value.doubleValue();
        }
        return values;
    }

    private Map<String, @Nullable Object> columns(JsonNode columns, int number) {
        if (!(columns instanceof ObjectNode object)) {
            throw new Refused(400, "the 'columns' of node " + number + " must be an object");
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (String name : object.propertyNames()) {
            values.put(name, value(object.get(name), name));
        }
        return values;
    }

    private @Nullable Object value(JsonNode value, String column) {
        if (value.isNull()) {
            return null;
        }
        if (value.isNumber() && Double.isFinite(value.doubleValue())) {
            return value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : value.doubleValue();
        }
        if (value.isString()) {
            return Json.checked(value.stringValue(), column, live.limits().text());
        }
        if (value.isBoolean()) {
            return Boolean.toString(value.booleanValue());
        }
        if (value.isArray()) {
            List<@Nullable Object> parts = new ArrayList<>();
            for (JsonNode part : value) {
                if (!part.isNumber() || !Double.isFinite(part.doubleValue())) {
                    throw wrong(column);
                }
                parts.add(part.doubleValue());
            }
            return parts;
        }
        throw wrong(column);
    }

    private static Refused wrong(String column) {
        return new Refused(
                422, "column '" + State.shortened(column) + "' takes a number, a text, a list of numbers, or null");
    }
}
