// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.option.Glob;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.shift.Shift;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.Sampling;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be run: data sets x models x estimators x shifts x splits x initialisations.
 *
 * @param options of the study itself
 * @param overrides options of models, trainings and estimators that hold for the whole study, by name
 */
public record Study(
        String name,
        Options options,
        Map<String, String> overrides,
        List<Shift> shifts,
        List<Data> data,
        List<ModelRun> models) {

    static final Option<Integer> SPLITS =
            Option.of("splits", Kind.count(10_000), 10, "Number of splits of each data set.");
    static final Option<Integer> INITIALISATIONS = Option.of(
            "initialisations",
            Kind.count(1000),
            1,
            "Number of models trained per split to evaluate the estimators on.");
    static final Option<Integer> CALIBRATION_BINS = Option.of(
            "calibration-bins",
            Kind.count(10_000),
            10,
            "Number of confidence bins for the expected calibration error.");

    /** What a study lets choose about itself. */
    public static final OptionGroup GROUP = OptionGroup.of(
            "the study",
            TrainingOptions.SEED,
            SPLITS,
            INITIALISATIONS,
            DetectorOptions.DROP_LEFT_OUT,
            CALIBRATION_BINS);

    /** What else may be set for the whole study. */
    public static final OptionGroup OVERRIDES = OptionGroup.union(
            "the study",
            List.of(
                    ModelOptions.COMMON,
                    new OptionGroup(
                            "the training",
                            TrainingOptions.GROUP.options().stream()
                                    .filter(option -> option != TrainingOptions.SEED)
                                    .toList()),
                    Estimators.options()));

    /**
     * @param name of a data set, or {@code builtin:NAME}
     * @param splits where they differ from the study's
     * @param members of an ensemble, where they differ from the study's
     */
    public record Data(
            String name, @Nullable Integer splits, @Nullable Integer members) {}

    /**
     * A model and who judges what it does.
     *
     * @param data names of the data sets that it is run on, or how they begin and a star; empty for all
     * @param shifts where they differ from the study's
     * @param settings a file that {@code nescio tune} has written; null for what ships with Nescio
     */
    public record ModelRun(
            String name,
            List<EstimatorSpec> estimators,
            List<String> data,
            List<Shift> shifts,
            @Nullable String settings) {

        /** Refuses a name that is no architecture, a model without estimators, and settings that cannot be a file. */
        public ModelRun {
            Architectures.named(name);
            if (estimators.isEmpty()) {
                throw new BadConfiguration(name + " has no estimators");
            }
            if (settings != null) {
                file(settings);
            }
        }

        static Path file(String settings) {
            try {
                return Path.of(settings);
            } catch (InvalidPathException e) {
                throw new BadConfiguration("settings '" + settings + "' is not a valid file name: " + e.getReason(), e);
            }
        }

        Architecture architecture() {
            return Architectures.named(name);
        }

        boolean runsOn(Data set) {
            return data.isEmpty() || data.stream().anyMatch(pattern -> isMeant(pattern, set.name));
        }

        private static boolean isMeant(String pattern, String name) {
            return pattern.equals(name) || Glob.matches(pattern, name);
        }
    }

    /**
     * Refuses a study without data, models or shifts, and a data set that is named twice. Also refuses unknown overrides, and
     * models that are to run on data that are not in the study.
     */
    public Study {
        data = List.copyOf(data);
        models = List.copyOf(models);
        shifts = List.copyOf(shifts);
        overrides = Map.copyOf(overrides);
        overrides.forEach((option, value) -> OVERRIDES.named(option).parse(value));
        if (data.isEmpty() || models.isEmpty() || shifts.isEmpty()) {
            throw new BadConfiguration("study " + name + " needs at least one entry in data, models and shifts");
        }
        List<String> names = data.stream().map(Data::name).toList();
        if (new HashSet<>(names).size() < names.size()) {
            throw new BadConfiguration("study " + name + " names a data set twice: " + String.join(", ", names));
        }
        for (ModelRun model : models) {
            for (String on : model.data) {
                if (names.stream().noneMatch(known -> ModelRun.isMeant(on, known))) {
                    throw new BadConfiguration(
                            "study " + name + ": " + model.name + " is to run on " + on + ", which is not in data");
                }
            }
        }
    }

    long seed() {
        return options.get(TrainingOptions.SEED);
    }

    int initialisations() {
        return options.get(INITIALISATIONS);
    }

    /** How its networks are trained and judged, in a sentence. */
    String summary() {
        String hidden = overrides.get(ModelOptions.HIDDEN.name());
        return name + ": " + (hidden == null ? "networks as wide as tuned" : "networks of width " + hidden)
                + ", at most " + value(TrainingOptions.EPOCHS) + " epochs with patience "
                + value(TrainingOptions.PATIENCE) + ", " + initialisations()
                + (initialisations() == 1 ? " initialisation" : " initialisations") + " per split, " + ensembles()
                + ", "
                + value(Sampling.PASSES) + " random passes, seed " + seed()
                + (options.get(DetectorOptions.DROP_LEFT_OUT) ? ", left-out nodes dropped while training" : "");
    }

    /** What holds for the whole study, or the default. */
    private <T> String value(Option<T> option) {
        return overrides.getOrDefault(option.name(), option.print(option.standard()));
    }

    private String ensembles() {
        String members = value(Sampling.MEMBERS);
        String others = data.stream()
                .filter(set -> set.members != null && !set.members.toString().equals(members))
                .map(set -> set.members + " on " + set.name)
                .collect(Collectors.joining(", "));
        return "ensembles of " + members + (others.isEmpty() ? "" : " (" + others + ")");
    }

    List<Shift> shiftsOf(ModelRun model) {
        return model.shifts.isEmpty() ? shifts : model.shifts;
    }

    int splitsOf(Data set) {
        return set.splits == null ? options.get(SPLITS) : set.splits;
    }

    /** An estimator with the options that hold for the study and the data set. */
    EstimatorSpec effective(EstimatorSpec estimator, Data set) {
        Map<String, String> values = new LinkedHashMap<>(overrides);
        if (set.members != null) {
            values.put(Sampling.MEMBERS.name(), set.members.toString());
        }
        values.keySet().retainAll(estimator.estimator().options().names());
        // What the estimator itself was given comes first.
        values.keySet().removeAll(estimator.options().chosen().keySet());
        return Estimators.with(List.of(estimator), values).get(0);
    }
}
