// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.graph.Preprocessing;
import dev.nescio.io.data.DataSets;
import dev.nescio.io.file.Utf8;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.option.Nearest;
import dev.nescio.option.OptionGroup;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a model is trained on a data set, as {@code nescio tune} writes it: a file of options, one per line.
 *
 * @param preprocessing of the features; null where the file does not say
 */
public record Settings(
        Architecture architecture,
        ModelOptions model,
        TrainingOptions training,
        @Nullable Preprocessing preprocessing) {

    private static final String MODEL = "model";
    private static final String CHOOSE = "choose";

    /** Whose settings a data set takes that nobody has tuned on: those of the graph most like it. */
    private static final Map<String, String> INSTEAD =
            Map.of("amazon_ratings", "amazon_ratings_cut", "roman_empire", "amazon_ratings_cut");

    /** Refuses model options that the architecture does not have. */
    public Settings {
        model = model.in(architecture.options());
    }

    /** The default options of model and training; the preprocessing is left open. */
    public static Settings defaults(Architecture architecture) {
        return new Settings(architecture, ModelOptions.defaults(), TrainingOptions.defaults(), null);
    }

    /** The settings that ship with Nescio, otherwise its defaults. */
    public static Settings tuned(String data, String model) {
        String from = INSTEAD.getOrDefault(data, data);
        List<String> lines = tunedLines(from, model);
        Architecture architecture = Architectures.named(model);
        return lines.isEmpty() ? defaults(architecture) : parse(architecture, lines, from + "/" + model);
    }

    /** Data sets and models that have settings of their own: {@code cora_ml/gprgnn}. */
    public static List<String> tunedNames() {
        return DataSets.all().stream()
                .flatMap(set -> Architectures.all().stream()
                        .filter(model -> !tunedLines(set.name(), model.name()).isEmpty())
                        .map(model -> set.name() + "/" + model.name()))
                .toList();
    }

    /** The lines of the settings that ship with Nescio; none where there are none. */
    public static List<String> tunedLines(String data, String model) {
        String resource = "tuned/" + data + "/" + model + ".args";
        if (!data.matches("[a-z_]+") || !model.matches("[a-z0-9-]+")) {
            return List.of();
        }
        try (InputStream in = Settings.class.getResourceAsStream(resource)) {
            return in == null
                    ? List.of()
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Reads a file of options, one per line; what it does not mention has its default. Refuses unknown options, options that are set twice and
     * settings of another architecture, and names the line.
     */
    public static Settings read(Architecture architecture, Path file) {
        return parse(architecture, Utf8.lines(file), file.toString());
    }

    static Settings parse(Architecture architecture, List<String> lines, String place) {
        Map<String, String> model = new LinkedHashMap<>();
        Map<String, String> training = new LinkedHashMap<>();
        Map<String, String> preprocessing = new LinkedHashMap<>();
        Map<OptionGroup, Map<String, String>> byGroup = new LinkedHashMap<>();
        byGroup.put(architecture.options(), model);
        byGroup.put(TrainingOptions.GROUP, training);
        byGroup.put(Preprocessing.GROUP, preprocessing);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                put(line, architecture, byGroup);
            } catch (BadConfiguration e) {
                throw new BadInput(place + ", line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return new Settings(
                architecture,
                new ModelOptions(architecture.options().parse(model)),
                new TrainingOptions(TrainingOptions.GROUP.parse(training)),
                preprocessing.isEmpty() ? null : new Preprocessing(Preprocessing.GROUP.parse(preprocessing)));
    }

    private static void put(String line, Architecture architecture, Map<OptionGroup, Map<String, String>> byGroup) {
        String[] parts = line.split("[\\s=]+", 2);
        String name = parts[0].startsWith("--") ? parts[0].substring(2) : parts[0];
        String value = parts.length < 2 ? "true" : parts[1].strip();
        if (name.equals(MODEL)) {
            if (!value.equals(architecture.name())) {
                throw new BadConfiguration("these are settings of " + value + ", not of " + architecture.name());
            }
            return;
        }
        if (name.equals(CHOOSE)) {
            String[] choice = value.split("=", 2);
            if (choice.length < 2) {
                throw new BadConfiguration("expected NAME=VALUE, got '" + value + "'");
            }
            name = choice[0];
            value = choice[1];
        }
        for (Map.Entry<OptionGroup, Map<String, String>> group : byGroup.entrySet()) {
            if (group.getKey().find(name).isPresent()) {
                group.getKey().named(name).parse(value);
                if (group.getValue().put(name, value) != null) {
                    throw new BadConfiguration("'" + name + "' is set for the second time");
                }
                return;
            }
        }
        List<String> known = Stream.concat(
                        Stream.of(MODEL, CHOOSE), byGroup.keySet().stream().flatMap(group -> group.names().stream()))
                .toList();
        throw new BadConfiguration("there is no setting '" + name + "'; " + Nearest.hint(name, known));
    }

    /** The same with other values of some options of model or training, by name. */
    Settings with(Map<String, String> values) {
        Settings changed = this;
        for (Map.Entry<String, String> value : values.entrySet()) {
            String name = value.getKey();
            if (changed.model.values().group().find(name).isPresent()) {
                changed = new Settings(
                        architecture,
                        new ModelOptions(changed.model.values().withText(name, value.getValue())),
                        changed.training,
                        preprocessing);
            } else if (TrainingOptions.GROUP.find(name).isPresent()) {
                changed = new Settings(
                        architecture,
                        changed.model,
                        new TrainingOptions(changed.training.values().withText(name, value.getValue())),
                        preprocessing);
            }
        }
        return changed;
    }

    Settings withSeed(long seed) {
        return new Settings(architecture, model, training.withSeed(seed), preprocessing);
    }
}
