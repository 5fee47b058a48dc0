// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import io.javalin.http.Context;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdSerializer;

/** JSON in and out, strictly. */
final class Json {

    private static final int DEEPEST = 20;
    private static final int LONGEST_NUMBER = 100;

    static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxNumberLength(LONGEST_NUMBER)
                            .maxNameLength(1000)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addModule(new SimpleModule()
                    .addSerializer(double.class, new FiniteOrNull())
                    .addSerializer(Double.class, new FiniteOrNull()))
            .build();

    private Json() {}

    /** JSON has no NaN: what is not a finite number is null. */
    private static final class FiniteOrNull extends StdSerializer<Double> {

        FiniteOrNull() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator out, SerializationContext context) {
            if (Double.isFinite(value)) {
                out.writeNumber(value);
            } else {
                out.writeNull();
            }
        }
    }

    /** Answers with an object. */
    static void answer(Context context, Object value) {
        context.contentType("application/json").result(MAPPER.writeValueAsBytes(value));
    }

    /** An object of known fields; refuses what is not one. */
    static ObjectNode object(byte[] body, Set<String> known) {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw new Refused(400, "the body is not JSON: " + reason(e));
        } catch (StackOverflowError e) {
            throw new Refused(400, "the body is nested too deeply");
        }
        if (!(tree instanceof ObjectNode object)) {
            throw new Refused(400, "the body must be a JSON object");
        }
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                throw new Refused(
                        400,
                        "there is no field '" + State.shortened(name) + "'; fields are "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
        return object;
    }

    /** Without the piece of the source that Jackson quotes. */
    private static String reason(JacksonException e) {
        String message = String.valueOf(e.getOriginalMessage());
        String line = message.lines().findFirst().orElse("it cannot be read");
        return State.shortened(line)
                + (e.getLocation() == null
                        ? ""
                        : " (line " + e.getLocation().getLineNr() + ", column "
                                + e.getLocation().getColumnNr() + ")");
    }

    /** A text, or null where the field is missing or null. */
    static @Nullable String text(ObjectNode object, String field, int longest) {
        JsonNode value = object.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw new Refused(400, "'" + field + "' must be a text");
        }
        return checked(value.stringValue(), field, longest);
    }

    /** Refuses a text that is too long, empty, or holds control characters. */
    static String checked(String text, String what, int longest) {
        if (text.length() > longest) {
            throw new Refused(
                    422, "'" + what + "' has " + text.length() + " characters, but at most " + longest + " are taken");
        }
        if (text.codePoints().anyMatch(c -> (c < ' ' && c != '\n' && c != '\t') || c == 0x7f)) {
            throw new Refused(422, "'" + what + "' holds a control character");
        }
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            // No address and no table could hold it.
            throw new Refused(422, "'" + what + "' holds half a character (a surrogate without its pair)");
        }
        return text;
    }

    /** A name that must be there and not be blank. */
    static String name(@Nullable String text, String what, int longest) {
        if (text == null || text.isBlank()) {
            throw new Refused(400, "'" + what + "' is missing");
        }
        if (text.indexOf('\n') >= 0 || text.indexOf('\t') >= 0) {
            throw new Refused(422, "'" + what + "' holds a control character");
        }
        return checked(text, what, longest);
    }

    /** A choice among a few; null where nothing is given. */
    static @Nullable String oneOf(@Nullable String value, String what, List<String> choices) {
        if (value != null && !choices.contains(value)) {
            throw new Refused(
                    422,
                    "'" + what + "' is '" + State.shortened(value) + "', but it must be one of "
                            + String.join(", ", choices));
        }
        return value;
    }
}
