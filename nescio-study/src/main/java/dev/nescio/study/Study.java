package dev.nescio.study;

import dev.nescio.model.network.Architectures;
import dev.nescio.problem.BadConfiguration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be run: data sets x models x estimators x shifts x splits x initialisations.
 *
 * @param seed of everything random
 * @param splits of each data set
 * @param initialisations trained networks per split that estimators are judged on
 * @param members networks of an ensemble
 * @param passes with dropout or sampled weights
 * @param hidden width of all networks; null for the tuned ones
 * @param epochs at most
 * @param patience epochs without a better one before a training stops
 * @param dropLeftOut whether nodes of left-out classes are kept from training altogether, rather than only their labels
 * @param calibrationBins bins of confidence of the expected calibration error
 */
public record Study(
        String name,
        long seed,
        int splits,
        int initialisations,
        int members,
        int passes,
        @Nullable Integer hidden,
        int epochs,
        int patience,
        boolean dropLeftOut,
        int calibrationBins,
        List<Shift> shifts,
        List<Data> data,
        List<Backbone> models) {

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
    public record Backbone(
            String name,
            List<EstimatorChoice> estimators,
            List<String> data,
            List<Shift> shifts,
            @Nullable String settings) {

        public Backbone {
            Architectures.named(name);
            if (estimators.isEmpty()) {
                throw new BadConfiguration(name + " has no estimators");
            }
        }

        boolean runsOn(Data set) {
            return data.isEmpty() || data.stream().anyMatch(pattern -> matches(pattern, set.name));
        }

        private static boolean matches(String pattern, String name) {
            return pattern.endsWith("*")
                    ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                    : name.equals(pattern);
        }
    }

    public Study {
        data = List.copyOf(data);
        models = List.copyOf(models);
        shifts = List.copyOf(shifts);
        requirePositive("splits", splits);
        requirePositive("initialisations", initialisations);
        requirePositive("members", members);
        requirePositive("passes", passes);
        requirePositive("epochs", epochs);
        requirePositive("patience", patience);
        requirePositive("calibration-bins", calibrationBins);
        if (data.isEmpty() || models.isEmpty() || shifts.isEmpty()) {
            throw new BadConfiguration("study " + name + " needs at least one entry in data, models and shifts");
        }
        List<String> names = data.stream().map(Data::name).toList();
        if (new HashSet<>(names).size() < names.size()) {
            throw new BadConfiguration("study " + name + " names a data set twice: " + String.join(", ", names));
        }
        for (Backbone model : models) {
            for (String on : model.data) {
                if (names.stream().noneMatch(known -> Backbone.matches(on, known))) {
                    throw new BadConfiguration(
                            "study " + name + ": " + model.name + " is to run on " + on + ", which is not in data");
                }
            }
        }
    }

    private static void requirePositive(String what, int value) {
        if (value < 1) {
            throw new BadConfiguration(what + " must be at least 1, got " + value);
        }
    }

    /** How its networks are trained and judged, in a sentence. */
    String summary() {
        String widths = hidden == null ? "networks as wide as tuned" : "networks of width " + hidden;
        return name + ": " + widths + ", at most " + epochs + " epochs with patience " + patience + ", "
                + initialisations + (initialisations == 1 ? " initialisation" : " initialisations") + " per split, "
                + ensembles() + ", " + passes + " random passes, seed " + seed
                + (dropLeftOut ? ", left-out nodes dropped while training" : "");
    }

    private String ensembles() {
        String others = data.stream()
                .filter(set -> set.members != null && set.members != members)
                .map(set -> set.members + " on " + set.name)
                .collect(Collectors.joining(", "));
        return "ensembles of " + members + (others.isEmpty() ? "" : " (" + others + ")");
    }

    List<Shift> shiftsOf(Backbone model) {
        return model.shifts.isEmpty() ? shifts : model.shifts;
    }

    int membersOf(Data set) {
        return set.members == null ? members : set.members;
    }

    int splitsOf(Data set) {
        return set.splits == null ? splits : set.splits;
    }
}
