package dev.nescio.study;

import dev.nescio.graph.Preprocessing;
import dev.nescio.io.data.DataSets;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a model is trained on a data set, as {@code nescio tune} writes it: a file of options, one per line.
 *
 * @param preprocessing of the features; null where the file does not say
 */
public record Settings(
        ModelOptions model,
        TrainingOptions training,
        @Nullable Preprocessing preprocessing) {

    /** Data sets whose settings serve others: nobody has tuned on these. */
    private static final Map<String, String> INSTEAD = Map.of("amazon_ratings", "amazon_ratings_cut");

    /** The settings that ship with Nescio, otherwise its defaults. */
    public static Settings tuned(String data, String model) {
        List<String> lines = tunedLines(INSTEAD.getOrDefault(data, data), model);
        return lines.isEmpty()
                ? new Settings(ModelOptions.defaults(), TrainingOptions.defaults(), null)
                : parse(lines, data);
    }

    /** Data sets and models that have settings of their own: {@code cora_ml/gprgnn}. */
    public static List<String> tunedNames() {
        return DataSets.all().stream()
                .flatMap(set -> Architectures.all().stream().map(model -> set.name() + "/" + model.name()))
                .filter(name ->
                        !tunedLines(name.split("/")[0], name.split("/")[1]).isEmpty())
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

    public static Settings read(Path file) {
        try {
            return parse(Files.readAllLines(file), file.toString());
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    static Settings parse(List<String> lines, String place) {
        Map<String, String> values = new TreeMap<>();
        Map<String, String> choices = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("\\s+", 2);
            String value = parts.length < 2 ? "" : parts[1];
            if (parts[0].equals("--choose")) {
                String[] choice = value.split("=", 2);
                if (choice.length < 2) {
                    throw new BadInput(place + ", line " + (i + 1) + ": expected NAME=VALUE, got '" + value + "'");
                }
                choices.put(choice[0], choice[1]);
            } else {
                values.put(parts[0], value);
            }
        }
        try {
            return of(values, choices);
        } catch (IllegalArgumentException e) {
            throw new BadInput(place + ": " + e.getMessage(), e);
        }
    }

    private static Settings of(Map<String, String> values, Map<String, String> choices) {
        ModelOptions model = ModelOptions.defaults();
        TrainingOptions training = TrainingOptions.defaults();
        Preprocessing preprocessing = values.containsKey("--normalise")
                ? new Preprocessing(
                        values.containsKey("--binary"),
                        Preprocessing.RowNorm.valueOf(values.get("--normalise").toUpperCase(Locale.ROOT)))
                : null;
        return new Settings(
                new ModelOptions(
                        Integer.parseInt(values.getOrDefault("--hidden", "" + model.hidden())),
                        Integer.parseInt(values.getOrDefault("--layers", "" + model.layers())),
                        Double.parseDouble(values.getOrDefault("--dropout", "" + model.dropout())),
                        Integer.parseInt(values.getOrDefault("--multiplier", "" + model.multiplier())),
                        choices),
                new TrainingOptions(
                        Double.parseDouble(values.getOrDefault("--learning-rate", "" + training.learningRate())),
                        Double.parseDouble(values.getOrDefault("--weight-decay", "" + training.weightDecay())),
                        training.epochs(),
                        Integer.parseInt(values.getOrDefault("--patience", "" + training.patience())),
                        TrainingOptions.Stopping.valueOf(values.getOrDefault(
                                        "--stopping", training.stopping().name())
                                .toUpperCase(Locale.ROOT)),
                        training.seed()),
                preprocessing);
    }

    /** The same as a study wants it: its width where it names one, and its limits. */
    Settings in(Study study, long seed) {
        int hidden = study.hidden() == null ? model.hidden() : study.hidden();
        if (hidden < 1) {
            throw new BadConfiguration("hidden must be at least 1, got " + hidden);
        }
        return new Settings(
                new ModelOptions(hidden, model.layers(), model.dropout(), model.multiplier(), model.choices()),
                new TrainingOptions(
                        training.learningRate(),
                        training.weightDecay(),
                        study.epochs(),
                        study.patience(),
                        training.stopping(),
                        seed),
                preprocessing);
    }
}
