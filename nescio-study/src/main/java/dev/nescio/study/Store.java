// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.option.Key;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.shift.Shifts;
import dev.nescio.uncertainty.estimator.Estimators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of a study in a DuckDB file. Every group of rows is one transaction; between transactions the file is closed,
 * so that others can read while a study runs. Thread-safe.
 */
public final class Store {

    private static final String FILE = "results.duckdb";
    private static final int FORMAT = 2;
    private static final String DELETE = "DELETE FROM ";
    private static final String WHERE =
            " WHERE data = ? AND model = ? AND estimator = ? AND shift = ? AND split = ? AND initialisation = ?";
    static final List<String> KEYS = List.of("data", "model", "estimator", "shift", "split", "initialisation");
    private static final String KEY = String.join(", ", KEYS);
    static final List<String> PROVENANCE = List.of(
            "seconds_train",
            "seconds_fit",
            "seconds_score",
            "epochs",
            "validation_accuracy",
            "seed",
            "options",
            "fingerprint",
            "version");

    private final Database database;

    /** One bin of the figure that sets confidence beside accuracy. */
    public record Bin(Cell cell, int bin, int nodes, double accuracy) {}

    /** One number about a graph; some have two indices. */
    public record Statistic(String data, String title, String name, int i, int j, double value) {}

    private Store(Path file) {
        this.database = new Database(file);
    }

    /** The store in a folder, made where there is none. */
    public static Store create(Path folder) {
        if (folder.toAbsolutePath().toString().contains("?")) {
            throw new BadConfiguration(folder + ": the path of a study must not contain '?'");
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new BadConfiguration(folder + " cannot be created: " + AtomicFile.reason(e), e);
        }
        if (!Files.exists(folder.resolve(FILE))) {
            // Under another name until it is whole: whoever is stopped here leaves nothing that looks like a store.
            AtomicFile.make(folder.resolve(FILE), fresh -> new Database(fresh).transaction(Store::createTables));
        }
        Store store = open(folder);
        store.upgrade();
        return store;
    }

    private static boolean createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String numbers =
                    Measures.names().stream().map(name -> name + " DOUBLE").collect(Collectors.joining(", "));
            statement.execute("CREATE TABLE IF NOT EXISTS results (data VARCHAR, model VARCHAR, estimator VARCHAR,"
                    + " shift VARCHAR, split VARCHAR, initialisation INTEGER, " + numbers
                    + ", seconds_train DOUBLE,"
                    + " seconds_fit DOUBLE, seconds_score DOUBLE, epochs INTEGER, validation_accuracy DOUBLE, seed"
                    + " BIGINT, options VARCHAR, fingerprint VARCHAR, version VARCHAR, PRIMARY KEY (" + KEY + "))");
            statement.execute("CREATE TABLE IF NOT EXISTS bins (data VARCHAR, model VARCHAR, estimator VARCHAR,"
                    + " shift VARCHAR, split VARCHAR, initialisation INTEGER, bin INTEGER, nodes INTEGER, accuracy"
                    + " DOUBLE)");
            statement.execute("CREATE TABLE IF NOT EXISTS graphs (data VARCHAR, title VARCHAR, name VARCHAR, i"
                    + " INTEGER, j INTEGER, value DOUBLE)");
            statement.execute("CREATE TABLE IF NOT EXISTS study (summary VARCHAR, cells INTEGER)");
            statement.execute("CREATE TABLE IF NOT EXISTS meta (format INTEGER, nescio VARCHAR)");
            statement.execute("DELETE FROM meta");
        }
        Database.insert(
                connection, "meta", List.of("format", "nescio"), List.of(List.of(FORMAT, DetectorFile.version())));
        return true;
    }

    /** Writes what older versions wrote as this one would, and makes room for measures that they did not know. */
    private void upgrade() {
        boolean isOld = format() < FORMAT;
        // An older version that was stopped at its first write has left a file without tables.
        boolean isEmpty = !database.hasTable("results");
        List<Row> rows = isOld && !isEmpty ? rows() : List.of();
        List<Bin> bins = isOld && !isEmpty ? bins() : List.of();
        database.transaction(connection -> {
            createTables(connection);
            try (Statement statement = connection.createStatement()) {
                for (String name : Measures.names()) {
                    statement.execute("ALTER TABLE results ADD COLUMN IF NOT EXISTS " + name + " DOUBLE");
                }
                if (isOld) {
                    statement.execute(DELETE + "results");
                    statement.execute(DELETE + "bins");
                }
            }
            insert(connection, rows, bins);
            return true;
        });
    }

    /** The store in a folder, which must be there. */
    public static Store open(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new BadInput(folder + " holds no study: " + FILE + " is missing");
        }
        Store store = new Store(file);
        int format = store.format();
        if (format > FORMAT) {
            String writer = store.database.query("SELECT nescio FROM meta", result -> result.getString(1)).stream()
                    .findFirst()
                    .orElse("?");
            throw new BadInput(file + " was written by Nescio " + writer + " in format " + format + "; this is Nescio "
                    + DetectorFile.version() + ", which reads formats 1 to " + FORMAT);
        }
        return store;
    }

    /** Stores of format 1 do not say so. */
    private int format() {
        return database.hasTable("meta")
                ? database.query("SELECT format FROM meta", result -> result.getInt(1)).stream()
                        .findFirst()
                        .orElse(1)
                : 1;
    }

    /** The rows in a folder; none where there is no store. */
    static List<Row> rowsIn(Path folder) {
        return Files.isRegularFile(folder.resolve(FILE)) ? open(folder).rows() : List.of();
    }

    /**
     * What a store is filled with.
     *
     * @param summary how networks are trained and judged
     * @param cells in all
     */
    public record Purpose(String summary, int cells) {}

    /** What is to come, in place of what was to come before. */
    void announce(Purpose purpose) {
        database.transaction(connection -> {
            Database.execute(connection, DELETE + "study", List.of(List.of()));
            Database.insert(
                    connection, "study", List.of("summary", "cells"), List.of(List.of(purpose.summary, purpose.cells)));
            return true;
        });
    }

    /** Nothing in stores of older versions. */
    public Optional<Purpose> purpose() {
        if (!database.hasTable("study")) {
            return Optional.empty();
        }
        return database
                .query(
                        "SELECT * FROM study",
                        result -> new Purpose(result.getString("summary"), result.getInt("cells")))
                .stream()
                .findFirst();
    }

    /** Forgets cells. */
    void remove(List<Cell> cells) {
        List<List<Object>> keys = cells.stream().map(Store::key).toList();
        database.transaction(connection -> {
            Database.execute(connection, DELETE + "results" + WHERE, keys);
            Database.execute(connection, DELETE + "bins" + WHERE, keys);
            return true;
        });
    }

    /** Adds rows and bins together, in place of older ones of the same cells. */
    public void add(List<Row> rows, List<Bin> bins) {
        List<List<Object>> keys = rows.stream().map(row -> key(row.cell())).toList();
        database.transaction(connection -> {
            Database.execute(connection, DELETE + "results" + WHERE, keys);
            Database.execute(connection, DELETE + "bins" + WHERE, keys);
            insert(connection, rows, bins);
            return true;
        });
    }

    private static void insert(Connection connection, List<Row> rows, List<Bin> bins) throws SQLException {
        List<String> results = new ArrayList<>(KEYS);
        results.addAll(Measures.names());
        results.addAll(PROVENANCE);
        Database.insert(
                connection, "results", results, rows.stream().map(Store::values).toList());
        List<String> ofBins = new ArrayList<>(KEYS);
        ofBins.addAll(List.of("bin", "nodes", "accuracy"));
        Database.insert(
                connection, "bins", ofBins, bins.stream().map(Store::values).toList());
    }

    /** What is known about a graph, in place of what was known before. */
    public void describe(String data, List<Statistic> statistics) {
        database.transaction(connection -> {
            Database.execute(connection, DELETE + "graphs WHERE data = ?", List.of(List.of(data)));
            Database.insert(
                    connection,
                    "graphs",
                    List.of("data", "title", "name", "i", "j", "value"),
                    statistics.stream().map(Store::values).toList());
            return true;
        });
    }

    private static List<Object> key(Cell cell) {
        return List.of(
                cell.data(), cell.model(), cell.estimator(), cell.shift().name(), cell.split(), cell.initialisation());
    }

    private static List<Object> values(Row row) {
        List<Object> values = new ArrayList<>(key(row.cell()));
        Measures.names().forEach(name -> values.add(row.get(name)));
        Row.Provenance p = row.provenance();
        values.addAll(List.of(
                p.secondsTrain(),
                p.secondsFit(),
                p.secondsScore(),
                p.epochs(),
                p.validationAccuracy(),
                p.seed(),
                p.key().toString(),
                p.fingerprint(),
                p.version()));
        return values;
    }

    private static List<Object> values(Bin bin) {
        List<Object> values = new ArrayList<>(key(bin.cell));
        values.addAll(List.of(bin.bin, bin.nodes, bin.accuracy));
        return values;
    }

    private static List<Object> values(Statistic s) {
        return List.of(s.data, s.title, s.name, s.i, s.j, s.value);
    }

    /**
     * All results, in the order of data set, model, estimator, shift, split and initialisation. Measures that are not known are
     * NaN.
     */
    public List<Row> rows() {
        Set<String> columns = database.columns("results");
        return database.query("SELECT * FROM results ORDER BY " + KEY, result -> {
            Map<String, Double> measures = new LinkedHashMap<>();
            for (String name : Measures.names()) {
                double value = columns.contains(name) ? result.getDouble(name) : Double.NaN;
                measures.put(name, columns.contains(name) && result.wasNull() ? Double.NaN : value);
            }
            Cell cell = cell(result);
            return new Row(
                    cell,
                    measures,
                    new Row.Provenance(
                            result.getDouble("seconds_train"),
                            result.getDouble("seconds_fit"),
                            result.getDouble("seconds_score"),
                            result.getInt("epochs"),
                            result.getDouble("validation_accuracy"),
                            result.getLong("seed"),
                            key(result.getString("options"), cell),
                            result.getString("fingerprint"),
                            result.getString("version")));
        });
    }

    private static Key key(String text, Cell cell) {
        return OldKeys.isOld(text)
                ? OldKeys.row(text, cell.model(), Estimators.parseStored(cell.estimator()))
                : Key.parse(text);
    }

    /** All bins, in the order of {@link #rows}, and within a cell by number. */
    public List<Bin> bins() {
        return database.query(
                "SELECT * FROM bins ORDER BY " + KEY + ", bin",
                result -> new Bin(
                        cell(result), result.getInt("bin"), result.getInt("nodes"), result.getDouble("accuracy")));
    }

    /** All numbers about the graphs, in the order of data set, name and indices. */
    public List<Statistic> statistics() {
        return database.query(
                "SELECT * FROM graphs ORDER BY data, name, i, j",
                result -> new Statistic(
                        result.getString("data"),
                        result.getString("title"),
                        result.getString("name"),
                        result.getInt("i"),
                        result.getInt("j"),
                        result.getDouble("value")));
    }

    private static Cell cell(ResultSet result) throws SQLException {
        return new Cell(
                result.getString("data"),
                result.getString("model"),
                Estimators.parseStored(result.getString("estimator")).text(),
                Shifts.named(result.getString("shift")),
                result.getString("split"),
                result.getInt("initialisation"));
    }

    /** A format of tables for other programs. */
    public enum Format {
        /** CSV with a line of names. */
        CSV("(FORMAT csv, HEADER)"),
        /** One JSON array of objects. */
        JSON("(FORMAT json, ARRAY true)"),
        /** Parquet. */
        PARQUET("(FORMAT parquet)");

        private final String options;

        Format(String options) {
            this.options = options;
        }

        /** The format that the name of a file ends in, in upper or lower case; refuses other names. */
        public static Format of(Path file) {
            String name = file.toString().toLowerCase(Locale.ROOT);
            for (Format format : values()) {
                if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
                    return format;
                }
            }
            throw new BadConfiguration(file + " should end in .csv, .json or .parquet");
        }
    }

    /** Writes all rows in the format that the name of the file says. */
    public void export(Path target) {
        Format format = Format.of(target);
        String numbers = numbersOrNothing();
        AtomicFile.make(
                target,
                temporary -> database.transaction(connection -> {
                    try (Statement statement = connection.createStatement()) {
                        return statement.execute("COPY (SELECT * REPLACE (" + numbers + ") FROM results ORDER BY " + KEY
                                + ") TO "
                                + Database.quoted(temporary.toAbsolutePath().toString()) + " " + format.options);
                    }
                }));
    }

    /** What is not a number is left out, which all formats can say. */
    private String numbersOrNothing() {
        Set<String> columns = database.columns("results");
        return Stream.concat(Measures.names().stream(), Stream.of("validation_accuracy"))
                .filter(columns::contains)
                .map(name -> "CASE WHEN isnan(" + name + ") THEN NULL ELSE " + name + " END AS " + name)
                .collect(Collectors.joining(", "));
    }
}
