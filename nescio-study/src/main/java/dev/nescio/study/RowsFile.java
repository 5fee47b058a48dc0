// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.graph.Preprocessing;
import dev.nescio.io.table.TableFormats;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.option.Key;
import dev.nescio.option.OptionGroup;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.NescioException;
import dev.nescio.progress.Progress;
import dev.nescio.shift.Shifts;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Rows that {@link Store#export} wrote as CSV or Parquet. Columns, models, estimators, shifts and options that this version does not know are refused. */
final class RowsFile {

    private final TableReader table;

    private RowsFile(TableReader table) {
        this.table = table;
    }

    /** All rows of a file; refuses two of the same cell. */
    static List<Row> read(Path file) {
        try (TableReader table = TableFormats.open(file, Progress.NONE)) {
            return new RowsFile(table).rows();
        }
    }

    private List<Row> rows() {
        requireColumns();
        List<Row> rows = new ArrayList<>();
        Set<Cell> seen = new HashSet<>();
        while (table.next()) {
            Row row = row();
            if (!seen.add(row.cell())) {
                throw new BadInput(at() + ": this cell was there before");
            }
            rows.add(row);
        }
        return rows;
    }

    private void requireColumns() {
        List<String> known = new ArrayList<>(Store.KEYS);
        known.addAll(Measures.names());
        known.addAll(Store.PROVENANCE);
        for (String name : table.columns()) {
            if (!known.contains(name)) {
                throw new BadInput(table.file() + " has a column '" + name + "', which rows of a study do not have");
            }
        }
        for (String name : known) {
            if (table.find(name) < 0) {
                throw new BadInput(table.file() + " has no column '" + name + "', which rows of a study have");
            }
        }
    }

    private Row row() {
        EstimatorSpec estimator = parsed("estimator", Estimators::parse);
        Cell cell = new Cell(
                text("data"),
                parsed("model", name -> Architectures.named(name).name()),
                estimator.text(),
                parsed("shift", Shifts::named),
                text("split"),
                parsed("initialisation", Integer::parseInt));
        Map<String, Double> measures = new LinkedHashMap<>();
        Measures.names().forEach(name -> measures.put(name, table.number(table.find(name))));
        return new Row(
                cell,
                measures,
                new Row.Provenance(
                        seconds("seconds_train"),
                        seconds("seconds_fit"),
                        seconds("seconds_score"),
                        parsed("epochs", Integer::parseInt),
                        table.number(table.find("validation_accuracy")),
                        parsed("seed", Long::parseLong),
                        key(cell, estimator),
                        text("fingerprint"),
                        text("version")));
    }

    /** Work that was done with all defaults has no options. */
    private Key key(Cell cell, EstimatorSpec estimator) {
        int column = table.find("options");
        return table.text(column) == null
                ? Key.empty()
                : parsed("options", text -> {
                    Key key = Key.parse(text);
                    key.parts().forEach((part, value) -> require(part, value, cell, estimator));
                    return key;
                });
    }

    private static void require(String part, String value, Cell cell, EstimatorSpec estimator) {
        int dot = part.indexOf('.');
        group(part.substring(0, Math.max(0, dot)), cell, estimator)
                .named(part.substring(dot + 1))
                .parse(value);
    }

    private static OptionGroup group(String prefix, Cell cell, EstimatorSpec estimator) {
        return switch (prefix) {
            case "model" -> Architectures.named(cell.model()).options();
            case Group.TRAINING -> TrainingOptions.GROUP;
            case "preprocessing" -> Preprocessing.GROUP;
            case "estimator" -> estimator.estimator().options();
            case "study" -> Study.GROUP;
            default -> throw new IllegalArgumentException("there are no options of '" + prefix + "'");
        };
    }

    private double seconds(String column) {
        double value = table.number(table.find(column));
        if (!(value >= 0)) {
            throw TableProblem.of(table, table.find(column), "is not a time");
        }
        return value;
    }

    private String text(String column) {
        return parsed(column, text -> text);
    }

    private <T> T parsed(String column, Function<String, T> parse) {
        int number = table.find(column);
        String text = table.text(number);
        if (text == null) {
            throw TableProblem.of(table, number, "is missing");
        }
        try {
            return parse.apply(text);
        } catch (NescioException | IllegalArgumentException e) {
            throw TableProblem.of(table, number, "is not known here: " + e.getMessage());
        }
    }

    private String at() {
        return table.file() + ", " + table.place(table.row());
    }
}
