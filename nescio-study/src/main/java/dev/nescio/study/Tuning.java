// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.metric.Accuracy;
import dev.nescio.metric.Spread;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.option.Key;
import dev.nescio.option.Option;
import dev.nescio.option.Options;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.Diverged;
import dev.nescio.progress.Progress;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.Prediction;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Finds the settings of a model that do best on the validation nodes: tries every combination of some values on some splits, one
 * training per core. Every finished training is in a journal; if killed, tuning resumes where it stopped.
 */
public final class Tuning {

    private final Graph graph;
    private final List<Split> splits;
    private final DetectorOptions base;
    private final Map<Option<?>, List<String>> grid;
    private final TrialJournal journal;
    private final List<Trial> trials;
    private final Map<String, TrainingView> views = new ConcurrentHashMap<>();

    /**
     * @param grid values to try, by option of model or training; the first option changes slowest
     * @param journal where finished trainings are written down
     */
    public Tuning(
            Graph graph, List<Split> splits, DetectorOptions base, Map<Option<?>, List<String>> grid, Path journal) {
        this.graph = graph;
        this.splits = List.copyOf(splits);
        this.base = base;
        this.grid = new LinkedHashMap<>(grid);
        this.journal = new TrialJournal(journal);
        this.trials = trials();
    }

    /** One training to do: a point of the grid on a split. */
    private record Trial(Map<String, String> setting, Split split, DetectorOptions options, String key) {}

    /**
     * What a setting gave over the splits. Settings are ranked by validation nodes; test nodes choose nothing.
     *
     * @param setting values by the names of their options
     */
    public record Tried(
            Map<String, String> setting, Spread validationAccuracy, Spread validationLoss, Spread testAccuracy) {

        /** One line for people: the mean accuracy and the mean loss on the validation nodes, and the values of the setting. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%.4f  loss %.4f  %s",
                    validationAccuracy.mean(),
                    validationLoss.mean(),
                    setting.entrySet().stream()
                            .map(value -> value.getKey().replace('-', ' ') + " " + value.getValue())
                            .collect(Collectors.joining(", ")));
        }
    }

    /**
     * What tuning found.
     *
     * @param tied how many settings cannot be told from the most accurate one by their accuracy
     * @param best of these the one with the lowest validation loss
     * @param ranked all settings, the most accurate first
     */
    public record Result(Tried best, int tied, List<Tried> ranked) {}

    private List<Trial> trials() {
        String fingerprint = Fingerprint.of(graph);
        List<Trial> all = new ArrayList<>();
        for (Map<String, String> setting : settings()) {
            DetectorOptions options = base;
            for (Map.Entry<String, String> value : setting.entrySet()) {
                options = with(options, value.getKey(), value.getValue());
            }
            options.architecture().require(options.model());
            for (Split split : splits) {
                Key key = Key.empty()
                        .and("model", options.model().values())
                        .and(Group.TRAINING, options.training().values())
                        .and("preprocessing", options.preprocessing().values())
                        .and("detector", seen(options));
                all.add(new Trial(
                        setting,
                        split,
                        options,
                        key(fingerprint, split.name(), options.architecture().name(), key)));
            }
        }
        return all;
    }

    /** What of the graph a trial may see, where it is not all of it. */
    private static Map<String, String> seen(DetectorOptions options) {
        Map<String, String> seen = new LinkedHashMap<>();
        if (!options.leftOut().isEmpty()) {
            seen.put(
                    "left-out",
                    options.leftOut().stream().sorted().map(String::valueOf).collect(Collectors.joining("|")));
            seen.put(
                    DetectorOptions.DROP_LEFT_OUT.name(),
                    String.valueOf(options.detector().get(DetectorOptions.DROP_LEFT_OUT)));
        }
        if (options.heldOut() != 0) {
            seen.put(DetectorOptions.HELD_OUT.name(), String.valueOf(options.heldOut()));
        }
        return seen;
    }

    private static DetectorOptions with(DetectorOptions options, String name, String value) {
        Options model = options.model().values();
        return model.group().find(name).isPresent()
                ? options.withModel(new ModelOptions(model.withText(name, value)))
                : options.withTraining(
                        new TrainingOptions(options.training().values().withText(name, value)));
    }

    /** What identifies a trial. */
    static String key(String fingerprint, String split, String model, Key options) {
        return String.join(" ", fingerprint, split, model, options.toString());
    }

    /** Every combination of values; those that come first change slowest. */
    private List<Map<String, String>> settings() {
        List<Map<String, String>> settings = List.of(Map.of());
        for (Map.Entry<Option<?>, List<String>> tried : grid.entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> setting : settings) {
                for (String value : tried.getValue()) {
                    Map<String, String> more = new LinkedHashMap<>(setting);
                    more.put(tried.getKey().name(), canonical(tried.getKey(), value));
                    longer.add(more);
                }
            }
            settings = longer;
        }
        return settings;
    }

    private static <T> String canonical(Option<T> option, String value) {
        return option.print(option.parse(value));
    }

    /** How many trainings there are in all. */
    public int trainings() {
        return trials.size();
    }

    /** How many of them are still to be done. */
    public int left() {
        return undone().size();
    }

    private List<Trial> undone() {
        return trials.stream().filter(trial -> !journal.has(trial.key)).toList();
    }

    private TrainingView view(Split split) {
        return views.computeIfAbsent(split.name(), name -> TrainingView.of(graph, split, base));
    }

    /** Does what is left to do. */
    public void run(Progress progress) {
        List<Trial> left = undone();
        splits.forEach(this::view);
        AtomicInteger done = new AtomicInteger();
        Parallel.sideBySide(left.size(), i -> {
            Trial trial = left.get(i);
            add(trial.key, train(trial));
            progress.at(done.incrementAndGet(), left.size());
        });
    }

    private void add(String key, Outcome outcome) {
        journal.add(
                key,
                new TrialJournal.Trial(
                        outcome.validationAccuracy, outcome.testAccuracy, outcome.epochs, outcome.validationLoss));
    }

    /** What one training has given. */
    public record Outcome(double validationAccuracy, double testAccuracy, int epochs, double validationLoss)
            implements Serializable {}

    /** Runs trainings on other machines. */
    @FunctionalInterface
    public interface Elsewhere {

        /**
         * Runs all of these trainings, each by {@link Tuning#runOne} of the same tuning.
         *
         * @param keys of the trainings, each once
         * @param found is told what a training has given, one call at a time
         */
        void run(List<String> keys, BiConsumer<String, Outcome> found);
    }

    /** Does what is left to do on other machines; what a training has given is in the journal as soon as it is told. */
    public void run(Elsewhere elsewhere, Progress progress) {
        List<String> left = undone().stream().map(Trial::key).distinct().toList();
        splits.forEach(this::view);
        int[] done = {0};
        elsewhere.run(left, (key, outcome) -> {
            add(key, outcome);
            progress.at(++done[0], left.size());
        });
    }

    /** Does one training, whether it is in the journal or not, and writes nothing; refuses one that this tuning does not have. */
    public Outcome runOne(String key) {
        return train(trials.stream()
                .filter(trial -> trial.key.equals(key))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration(
                        graph.name() + " or its options differ between machines: here is no trial '" + key + "'")));
    }

    /** A training that diverges is worth nothing, but the others go on. */
    private Outcome train(Trial trial) {
        TrainingView view = view(trial.split);
        try {
            Trainer.Result result = view.train(trial.options, 0, TrainingListener.NONE);
            Graph seen = view.graph();
            double testAccuracy = Accuracy.of(
                    Prediction.of(result.model().logits(seen)).label(),
                    seen.labels(),
                    view.split().test().filter(v -> seen.label(v) >= 0).toArray());
            return new Outcome(result.validationAccuracy(), testAccuracy, result.epochs(), result.validationLoss());
        } catch (Diverged e) {
            return new Outcome(0, 0, 0, Double.POSITIVE_INFINITY);
        }
    }

    /** What came out of all trainings, which must have been done. */
    public Result result() {
        Map<Map<String, String>, List<TrialJournal.Trial>> bySetting = trials.stream()
                .collect(Collectors.groupingBy(
                        Trial::setting,
                        LinkedHashMap::new,
                        Collectors.mapping(
                                trial -> Objects.requireNonNull(journal.get(trial.key)), Collectors.toList())));
        List<Map.Entry<Map<String, String>, List<TrialJournal.Trial>>> ranked = bySetting.entrySet().stream()
                .sorted(Comparator.comparingDouble(
                        entry -> -accuracy(entry.getValue()).mean()))
                .toList();
        List<TrialJournal.Trial> first = ranked.get(0).getValue();
        List<Map.Entry<Map<String, String>, List<TrialJournal.Trial>>> tied =
                ranked.stream().filter(entry -> isTied(first, entry.getValue())).toList();
        // Trials of older journals have no loss; of those, the most accurate setting stays.
        Map.Entry<Map<String, String>, List<TrialJournal.Trial>> best = tied.stream()
                .filter(entry -> !Double.isNaN(loss(entry.getValue()).mean()))
                .min(Comparator.comparingDouble(entry -> loss(entry.getValue()).mean()))
                .orElse(ranked.get(0));
        return new Result(
                tried(best), tied.size(), ranked.stream().map(Tuning::tried).toList());
    }

    /** Whether a setting lies within one standard error of the best one, split by split. */
    private static boolean isTied(List<TrialJournal.Trial> best, List<TrialJournal.Trial> other) {
        double[] differences = new double[best.size()];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = best.get(i).validationAccuracy() - other.get(i).validationAccuracy();
        }
        Spread spread = Spread.of(Arrays.stream(differences));
        double error = differences.length < 2 ? 0 : spread.std() / Math.sqrt(differences.length);
        return spread.mean() <= error;
    }

    private static Tried tried(Map.Entry<Map<String, String>, List<TrialJournal.Trial>> entry) {
        List<TrialJournal.Trial> some = entry.getValue();
        return new Tried(
                entry.getKey(),
                accuracy(some),
                loss(some),
                Spread.of(some.stream().mapToDouble(TrialJournal.Trial::testAccuracy)));
    }

    private static Spread accuracy(List<TrialJournal.Trial> some) {
        return Spread.of(some.stream().mapToDouble(TrialJournal.Trial::validationAccuracy));
    }

    private static Spread loss(List<TrialJournal.Trial> some) {
        return Spread.of(some.stream().mapToDouble(TrialJournal.Trial::validationLoss));
    }

    /** The best settings as a file of arguments. */
    public String arguments(String source, Result result) {
        DetectorOptions chosen = base;
        for (Map.Entry<String, String> value : result.best.setting.entrySet()) {
            chosen = with(chosen, value.getKey(), value.getValue());
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "# %s: best of %d settings by the mean validation accuracy %.4f over splits %s%s",
                source,
                result.ranked.size(),
                result.best.validationAccuracy.mean(),
                splits.stream().map(Split::name).collect(Collectors.joining(", ")),
                result.tied == 1
                        ? ""
                        : "; " + result.tied
                                + " settings are tied within one standard error, this has the lowest loss"));
        lines.add("# tried: "
                + grid.entrySet().stream()
                        .map(tried -> tried.getKey().name() + " " + String.join(", ", tried.getValue()))
                        .collect(Collectors.joining("; ")));
        if (chosen.preprocessing().binary()) {
            lines.add("--" + Preprocessing.BINARY.name());
        }
        lines.add("--" + Preprocessing.NORMALISE.name() + " "
                + Preprocessing.NORMALISE.print(chosen.preprocessing().rows()));
        lines.add("--model " + chosen.architecture().name());
        lines.addAll(lines(chosen.model().values(), base.model().values(), ModelOptions.COMMON.names()));
        lines.addAll(lines(chosen.training().values(), base.training().values(), TrainingOptions.GROUP.names()));
        // The seed is the user's to choose.
        lines.removeIf(line -> line.startsWith("--" + TrainingOptions.SEED.name() + " "));
        return String.join("\n", lines) + "\n";
    }

    /** One line per value; options that only one architecture has are chosen with --choose. */
    private static List<String> lines(Options values, Options before, List<String> common) {
        List<String> lines = new ArrayList<>();
        values.texts().forEach((name, text) -> {
            if (text.isEmpty()) {
                return;
            }
            if (common.contains(name)) {
                lines.add("--" + name + " " + text);
            } else if (values.chosen().containsKey(name) || before.chosen().containsKey(name)) {
                lines.add("--choose " + name + "=" + text);
            }
        });
        return lines;
    }
}
