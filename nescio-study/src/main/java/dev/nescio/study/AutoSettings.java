// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.TrainingView;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.option.Option;
import dev.nescio.problem.Cancelled;
import dev.nescio.problem.Diverged;
import dev.nescio.tensor.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cheap choice of the two settings that matter most, dropout and learning rate, on the validation nodes: four trainings, within a
 * time. The setting with the highest accuracy wins; of those within one standard error of it, the one with the lowest loss.
 */
public final class AutoSettings {

    /** An option and the values to try, the standard one first. */
    private record Axis(Option<Double> option, List<Double> values) {}

    private static final List<Axis> GRID = List.of(
            new Axis(ModelOptions.DROPOUT, List.of(0.5, 0.2)),
            new Axis(TrainingOptions.LEARNING_RATE, List.of(0.001, 0.01)));

    private AutoSettings() {}

    /**
     * A setting and how its network did on the validation nodes; NaN where it diverged or took too long.
     *
     * @param values by the names of the options
     */
    public record Tried(Map<String, Double> values, double accuracy, double loss) {}

    /**
     * What was chosen.
     *
     * @param options with the settings that did best
     * @param tried all of them, the standard ones first
     */
    public record Choice(DetectorOptions options, Map<String, Double> values, List<Tried> tried) {}

    /** Is told how many of the trainings are done. */
    @FunctionalInterface
    public interface Listener {
        /** Is told after every training, by the thread that did it, but by one at a time. */
        void done(int trainings, int total);
    }

    /**
     * @param fixed names of options that somebody has chosen already
     * @param most time; the standard setting is always tried to its end
     */
    public static Choice choose(
            TrainingView view, DetectorOptions base, Set<String> fixed, Duration most, Listener listener) {
        List<Map<String, Double>> settings = settings(base, fixed);
        Tried[] tried = new Tried[settings.size()];
        long end = System.nanoTime() + most.toNanos();
        int[] done = {0};
        Parallel.sideBySide(tried.length, i -> {
            tried[i] = train(view, with(base, settings.get(i)), settings.get(i), i == 0 ? Long.MAX_VALUE : end);
            synchronized (done) {
                listener.done(++done[0], tried.length);
            }
        });
        Tried best = best(List.of(tried), view.split().validation().size());
        return new Choice(with(base, best.values), best.values, List.of(tried));
    }

    /** All combinations, the standard one first. */
    private static List<Map<String, Double>> settings(DetectorOptions base, Set<String> fixed) {
        List<Map<String, Double>> settings = new ArrayList<>(List.of(Map.of()));
        for (Axis axis : GRID) {
            boolean isFixed = fixed.contains(axis.option.name());
            List<Map<String, Double>> more = new ArrayList<>();
            for (Map<String, Double> setting : settings) {
                for (double value : isFixed ? List.of(value(base, axis.option)) : axis.values) {
                    Map<String, Double> next = new LinkedHashMap<>(setting);
                    next.put(axis.option.name(), value);
                    more.add(next);
                }
            }
            settings = more;
        }
        return settings;
    }

    private static double value(DetectorOptions base, Option<Double> option) {
        return option == ModelOptions.DROPOUT
                ? base.model().values().get(option)
                : base.training().values().get(option);
    }

    private static DetectorOptions with(DetectorOptions base, Map<String, Double> setting) {
        DetectorOptions options = base;
        for (Axis axis : GRID) {
            Double value = setting.get(axis.option.name());
            options = value == null ? options : options.with(axis.option, value);
        }
        return options;
    }

    private static Tried train(TrainingView view, DetectorOptions options, Map<String, Double> setting, long end) {
        TrainingListener watch = epoch -> {
            if (System.nanoTime() > end) {
                throw new Cancelled();
            }
        };
        Trainer.@Nullable Result result;
        try {
            result = view.train(options, 0, watch);
        } catch (Diverged | Cancelled e) {
            result = null;
        }
        return result == null
                ? new Tried(setting, Double.NaN, Double.NaN)
                : new Tried(setting, result.validationAccuracy(), result.validationLoss());
    }

    private static Tried best(List<Tried> tried, int nodes) {
        List<Tried> ended =
                tried.stream().filter(t -> !Double.isNaN(t.accuracy)).toList();
        Tried first =
                ended.stream().max(Comparator.comparingDouble(Tried::accuracy)).orElse(tried.get(0));
        double error = Math.sqrt(first.accuracy * (1 - first.accuracy) / Math.max(1, nodes));
        return ended.stream()
                .filter(t -> t.accuracy >= first.accuracy - error)
                .min(Comparator.comparingDouble(Tried::loss))
                .orElse(first);
    }
}
