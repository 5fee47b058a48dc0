// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import dev.nescio.graph.split.SplitRules;
import dev.nescio.io.location.GraphLocations;
import dev.nescio.io.score.ScoreFormats;
import dev.nescio.io.table.TableFormats;
import dev.nescio.model.network.Architectures;
import dev.nescio.shift.Shifts;
import dev.nescio.study.Measures;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that users can name, by kind. */
public final class Registries {

    private Registries() {}

    /** @param name how it is written */
    public record Entry(String name, String summary) {}

    public static Map<String, List<Entry>> all() {
        Map<String, List<Entry>> all = new LinkedHashMap<>();
        all.put(
                "models",
                Architectures.all().stream()
                        .map(model -> new Entry(model.name(), model.about().summary()))
                        .toList());
        all.put(
                "estimators",
                Estimators.all().stream()
                        .map(estimator ->
                                new Entry(estimator.name(), estimator.about().summary()))
                        .toList());
        all.put(
                "graphs",
                GraphLocations.all().stream()
                        .map(location -> new Entry(location.form(), location.summary()))
                        .toList());
        all.put(
                "tables",
                TableFormats.all().stream()
                        .map(format -> new Entry(String.join(", ", format.endings()), format.summary()))
                        .toList());
        all.put(
                "scores",
                ScoreFormats.all().stream()
                        .map(format -> new Entry(String.join(", ", format.endings()), format.summary()))
                        .toList());
        all.put(
                "splits",
                SplitRules.all().stream()
                        .map(rule -> new Entry(rule.name() + ":SEED", rule.summary()))
                        .toList());
        all.put(
                "shifts",
                Shifts.all().stream()
                        .map(shift -> new Entry(shift.name(), shift.meaning()))
                        .toList());
        all.put(
                "measures",
                Measures.all().stream()
                        .map(measure -> new Entry(measure.name(), measure.summary()))
                        .toList());
        return all;
    }
}
