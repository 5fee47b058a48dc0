// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Utf8;
import dev.nescio.option.Nearest;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.NescioException;
import dev.nescio.shift.Shifts;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.Sampling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads studies: those that ship with Nescio by name, others from a YAML file. */
public final class StudyFile {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final List<String> BUILTIN = List.of("smoke", "quick", "extended", "paper");
    private static final int LONGEST = 1 << 20;

    private StudyFile() {}

    /** The names of the studies that ship with Nescio: {@code smoke}, {@code quick}, {@code extended} and {@code paper}. */
    public static List<String> builtin() {
        return BUILTIN;
    }

    /** The text of a study that ships with Nescio. */
    public static String text(String builtin) {
        try (InputStream in = StudyFile.class.getResourceAsStream(builtin + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("study " + builtin + " is missing from the build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A study by name or file. */
    public static Study read(String source) {
        if (BUILTIN.contains(source)) {
            return parse(text(source), source);
        }
        Path file = Path.of(source);
        if (!Files.isRegularFile(file)) {
            throw new BadInput(
                    "there is no study '" + source + "': name a YAML file or one of " + String.join(", ", BUILTIN));
        }
        try {
            if (Files.size(file) > LONGEST) {
                throw new BadInput(file + " is too long for a study");
            }
            return parse(String.join("\n", Utf8.lines(file)), source);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    static Study parse(String text, String place) {
        try {
            return study(new Fields(YAML.readTree(text), place));
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? -1 : e.getLocation().getLineNr();
            String reason =
                    String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
            throw new BadInput(place + (line < 1 ? "" : ", line " + line) + " is not YAML: " + reason, e);
        } catch (NescioException e) {
            // A value in the file may hold line breaks; a message holds none.
            String message = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
            throw new BadInput(message.startsWith(place) ? message : place + ": " + message, e);
        }
    }

    private static Study study(Fields fields) {
        Study study = new Study(
                fields.text("name", "study"),
                Study.GROUP.parse(fields.values(Study.GROUP)),
                fields.values(Study.OVERRIDES),
                fields.list("shifts", node -> Shifts.named(node.asString())),
                fields.list("data", node -> data(node, fields.place)),
                fields.list("models", node -> modelRun(new Fields(node, fields.place))));
        fields.requireAllKnown();
        return study;
    }

    private static Study.Data data(JsonNode node, String place) {
        if (node.isString()) {
            return new Study.Data(node.asString(), null, null);
        }
        Fields fields = new Fields(node, place);
        Study.Data data = new Study.Data(
                fields.required("name"), fields.wholeOrNull(Study.SPLITS), fields.wholeOrNull(Sampling.MEMBERS));
        fields.requireAllKnown();
        return data;
    }

    private static Study.ModelRun modelRun(Fields fields) {
        Study.ModelRun run = new Study.ModelRun(
                fields.required("name"),
                fields.list("estimators", node -> Estimators.parse(node.asString())),
                fields.list("data", JsonNode::asString),
                fields.list("shifts", node -> Shifts.named(node.asString())),
                fields.textOrNull("settings"));
        fields.requireAllKnown();
        return run;
    }

    /** The fields of a YAML object; whoever reads them all can ask whether there were others. */
    private static final class Fields {

        private final JsonNode node;
        private final String place;
        private final Set<String> known = new TreeSet<>();

        Fields(JsonNode node, String place) {
            if (!node.isObject()) {
                throw new BadInput(place + ": expected fields with names, got '" + node + "'");
            }
            this.node = node;
            this.place = place;
        }

        private @Nullable JsonNode get(String name) {
            known.add(name);
            return node.get(name);
        }

        String required(String name) {
            String text = textOrNull(name);
            if (text == null) {
                throw new BadInput(place + ": '" + name + "' is missing in " + node);
            }
            return text;
        }

        @Nullable
        String textOrNull(String name) {
            JsonNode value = get(name);
            return value == null ? null : value.asString();
        }

        String text(String name, String otherwise) {
            String text = textOrNull(name);
            return text == null ? otherwise : text;
        }

        @Nullable
        Integer wholeOrNull(String name) {
            JsonNode value = get(name);
            if (value == null) {
                return null;
            }
            if (!value.isInt()) {
                throw new BadInput(place + ": '" + name + "' must be a whole number, got '" + value + "'");
            }
            return value.asInt();
        }

        /** The value of an option, where it is given. */
        @Nullable
        Integer wholeOrNull(Option<Integer> option) {
            Integer value = wholeOrNull(option.name());
            return value == null ? null : option.parse(value.toString());
        }

        /** The values that are given for some options, as text. */
        Map<String, String> values(OptionGroup group) {
            Map<String, String> values = new LinkedHashMap<>();
            for (Option<?> option : group.options()) {
                JsonNode value = get(option.name());
                if (value != null) {
                    values.put(
                            option.name(),
                            value.isArray()
                                    ? value.valueStream()
                                            .map(JsonNode::asString)
                                            .collect(Collectors.joining("|"))
                                    : value.asString());
                }
            }
            return values;
        }

        <T> List<T> list(String name, Function<JsonNode, T> each) {
            JsonNode value = get(name);
            List<T> all = new ArrayList<>();
            if (value == null) {
                return all;
            }
            if (!value.isArray()) {
                throw new BadInput(place + ": '" + name + "' must be a list, got '" + value + "'");
            }
            value.forEach(entry -> all.add(each.apply(entry)));
            return all;
        }

        void requireAllKnown() {
            for (String name : node.propertyNames()) {
                if (!known.contains(name)) {
                    throw new BadInput(place + ": there is no field '" + name + "'; " + Nearest.hint(name, known));
                }
            }
        }
    }
}
