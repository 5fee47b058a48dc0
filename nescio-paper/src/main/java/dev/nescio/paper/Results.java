// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.metric.Spread;
import dev.nescio.shift.Shift;
import dev.nescio.study.Cell;
import dev.nescio.study.Row;
import dev.nescio.study.Store;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What a study has found out so far, summed up over splits and initialisations. */
public final class Results {

    private static final String MOONS = "builtin:moons";

    private final List<Row> rows;
    private final List<Store.Bin> bins;
    private final List<Store.Statistic> statistics;
    private final Optional<Store.Purpose> purpose;
    private final Map<String, List<Row>> byCell = new HashMap<>();
    private final Map<String, String> titles = new LinkedHashMap<>();

    Results(Store store) {
        this.rows = store.rows();
        this.bins = store.bins();
        this.statistics = store.statistics();
        this.purpose = store.purpose();
        statistics.forEach(s -> titles.put(s.data(), s.title()));
        for (Row row : rows) {
            Cell c = row.cell();
            byCell.computeIfAbsent(key(c.data(), c.model(), c.estimator(), c.shift()), k -> new ArrayList<>())
                    .add(row);
        }
    }

    private static String key(String data, String model, String estimator, Shift shift) {
        return String.join("\t", data, model, estimator, shift.name());
    }

    List<Row> rows() {
        return rows;
    }

    Optional<Store.Purpose> purpose() {
        return purpose;
    }

    List<Store.Bin> bins() {
        return bins;
    }

    List<Store.Statistic> statistics() {
        return statistics;
    }

    /** Data sets with rows, without the graphs of the homophily curve. */
    List<String> data() {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.add(row.cell().data()));
        names.removeIf(name -> name.startsWith(MOONS));
        return List.copyOf(names);
    }

    /** The graphs of the homophily curve. */
    List<String> moons() {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.add(row.cell().data()));
        names.removeIf(name -> !name.startsWith(MOONS));
        return List.copyOf(names);
    }

    String title(String data) {
        return titles.getOrDefault(data, data);
    }

    /** A statistic of a graph; NaN where it is not known. */
    double statistic(String data, String name) {
        return statistics.stream()
                .filter(s -> s.data().equals(data) && s.name().equals(name))
                .mapToDouble(Store.Statistic::value)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Models that have been run with an estimator and shift on a data set, in the order of the rows. */
    List<String> models() {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.add(row.cell().model()));
        return List.copyOf(names);
    }

    List<String> estimators(String model) {
        Set<String> names = new LinkedHashSet<>();
        rows.stream()
                .filter(row -> row.cell().model().equals(model))
                .forEach(row -> names.add(row.cell().estimator()));
        return List.copyOf(names);
    }

    /** One measure; runs without a number do not count. */
    Spread get(String data, String model, String estimator, Shift shift, String measure) {
        return of(data, model, estimator, shift, row -> row.get(measure));
    }

    Spread of(String data, String model, String estimator, Shift shift, ToDoubleFunction<Row> value) {
        return Spread.of(byCell.getOrDefault(key(data, model, estimator, shift), List.of()).stream()
                .mapToDouble(value)
                .filter(Double::isFinite));
    }

    /** The same of a model by itself: of an estimator that predicts as its logits say, otherwise of one that asks no other model. */
    Spread ofModel(String data, String model, Shift shift, String measure) {
        return estimators(model).stream()
                .map(Estimators::parse)
                .filter(estimator -> !estimator.needs(Need.ENSEMBLE))
                .sorted(Comparator.comparing(estimator -> estimator.estimator().predictsItself()))
                .map(EstimatorSpec::text)
                .map(estimator -> get(data, model, estimator, shift, measure))
                .filter(spread -> spread.runs() > 0)
                .findFirst()
                .orElse(new Spread(Double.NaN, 0, 0));
    }
}
