// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.table.DuckDb;
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
import org.jspecify.annotations.Nullable;

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

    private static final String VARCHAR = "VARCHAR";
    private static final String DOUBLE = "DOUBLE";
    private static final String INTEGER = "INTEGER";

    /** The columns of every table with their types. */
    private static final Map<String, Map<String, String>> TABLES = tables();

    /** What a store of any version has. */
    private static final List<String> ALWAYS = List.of("results", "bins", "graphs");

    private final Path file;
    private final Database database;

    /** One bin of the figure that sets confidence beside accuracy. */
    public record Bin(Cell cell, int bin, int nodes, double accuracy) {}

    /** One number about a graph; some have two indices. */
    public record Statistic(String data, String title, String name, int i, int j, double value) {}

    private Store(Path file) {
        this.file = file;
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
        Store store = found(folder);
        store.upgrade();
        store.requireTables(store.database.tables());
        return store;
    }

    private static Map<String, Map<String, String>> tables() {
        Map<String, String> cell = new LinkedHashMap<>();
        KEYS.forEach(key -> cell.put(key, key.equals("initialisation") ? INTEGER : VARCHAR));
        Map<String, String> results = new LinkedHashMap<>(cell);
        Measures.names().forEach(name -> results.put(name, DOUBLE));
        List.of("seconds_train", "seconds_fit", "seconds_score").forEach(name -> results.put(name, DOUBLE));
        results.put("epochs", INTEGER);
        results.put("validation_accuracy", DOUBLE);
        results.put("seed", "BIGINT");
        List.of("options", "fingerprint", "version").forEach(name -> results.put(name, VARCHAR));
        Map<String, String> bins = new LinkedHashMap<>(cell);
        bins.put("bin", INTEGER);
        bins.put("nodes", INTEGER);
        bins.put("accuracy", DOUBLE);
        Map<String, String> graphs = new LinkedHashMap<>();
        List.of("data", "title", "name").forEach(name -> graphs.put(name, VARCHAR));
        graphs.put("i", INTEGER);
        graphs.put("j", INTEGER);
        graphs.put("value", DOUBLE);
        Map<String, Map<String, String>> tables = new LinkedHashMap<>();
        tables.put("results", results);
        tables.put("bins", bins);
        tables.put("graphs", graphs);
        tables.put("study", Map.of("summary", VARCHAR, "cells", INTEGER));
        tables.put("meta", Map.of("format", INTEGER, "nescio", VARCHAR));
        return tables;
    }

    private static boolean createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, Map<String, String>> table : TABLES.entrySet()) {
                String columns = table.getValue().entrySet().stream()
                        .map(column -> column.getKey() + " " + column.getValue())
                        .collect(Collectors.joining(", "));
                String key = table.getKey().equals("results") ? ", PRIMARY KEY (" + KEY + ")" : "";
                statement.execute("CREATE TABLE IF NOT EXISTS " + table.getKey() + " (" + columns + key + ")");
            }
            statement.execute("DELETE FROM meta");
        }
        Database.insert(
                connection, "meta", List.of("format", "nescio"), List.of(List.of(FORMAT, DetectorFile.version())));
        return true;
    }

    /** Writes what older versions wrote as this one would, and makes room for measures that they did not know. */
    private void upgrade() {
        Map<String, Map<String, String>> tables = database.tables();
        boolean isOld = format(tables) < FORMAT;
        // An older version that was stopped at its first write has left a file without tables.
        boolean isEmpty = !tables.containsKey("results");
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

    /** The store in a folder, which must be there. Refuses a file that Nescio has not written. */
    public static Store open(Path folder) {
        Store store = found(folder);
        store.requireTables(store.database.tables());
        return store;
    }

    private static Store found(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new BadInput(folder + " holds no study: " + FILE + " is missing");
        }
        Store store = new Store(file);
        int format = store.format(store.database.tables());
        if (format > FORMAT) {
            String writer = store
                    .database
                    .query("meta", "SELECT nescio FROM meta", result -> String.valueOf(result.getString(1)))
                    .stream()
                    .findFirst()
                    .orElse("?");
            throw new BadInput(file + " was written by Nescio " + writer + " in format " + format + "; this is Nescio "
                    + DetectorFile.version() + ", which reads formats 1 to " + FORMAT);
        }
        return store;
    }

    /** Format and version of what has written the store, in words. */
    public String origin() {
        Map<String, Map<String, String>> tables = database.tables();
        int format = format(tables);
        return "format " + format
                + (format == 1
                        ? ""
                        : ", written by Nescio "
                                + database.query("meta", "SELECT nescio FROM meta", result -> text(result, "nescio"))
                                        .get(0));
    }

    /** Stores of format 1 do not say so. */
    private int format(Map<String, Map<String, String>> tables) {
        if (!tables.containsKey("meta")) {
            return 1;
        }
        requireColumns("meta", tables);
        return database.query("meta", "SELECT format FROM meta", result -> result.getInt(1)).stream()
                .findFirst()
                .orElse(1);
    }

    /** Older versions knew fewer measures, newer ones may know more. */
    private void requireTables(Map<String, Map<String, String>> there) {
        for (String table : ALWAYS) {
            if (!there.containsKey(table)) {
                throw new BadInput(file + " has no table '" + table + "': it is no store of a study, or damaged");
            }
        }
        there.keySet().stream().filter(TABLES::containsKey).forEach(table -> requireColumns(table, there));
    }

    private void requireColumns(String table, Map<String, Map<String, String>> there) {
        Map<String, String> found = there.getOrDefault(table, Map.of());
        TABLES.getOrDefault(table, Map.of())
                .forEach((column, type) -> requireColumn(table, column, type, found.get(column)));
    }

    private void requireColumn(String table, String column, String type, @Nullable String found) {
        if (found == null ? !Measures.names().contains(column) : !found.equals(type)) {
            throw new BadInput(file + ", table '" + table + "': "
                    + (found == null
                            ? "there is no column '" + column + "'"
                            : "column '" + column + "' holds " + found + ", expected " + type));
        }
    }

    /** The rows in a folder; none where there is no store, or one that was stopped before it had tables. */
    static List<Row> rowsIn(Path folder) {
        boolean isThere = Files.isRegularFile(folder.resolve(FILE));
        return isThere && !found(folder).database.tables().isEmpty()
                ? open(folder).rows()
                : List.of();
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
        if (!database.tables().containsKey("study")) {
            return Optional.empty();
        }
        return database
                .query(
                        "study",
                        "SELECT * FROM study",
                        result -> new Purpose(text(result, "summary"), result.getInt("cells")))
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
        Set<String> columns = columnsOfResults();
        return database.query("results", "SELECT * FROM results ORDER BY " + KEY, result -> {
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
                            key(text(result, "options"), cell),
                            text(result, "fingerprint"),
                            text(result, "version")));
        });
    }

    private Set<String> columnsOfResults() {
        return database.tables().getOrDefault("results", Map.of()).keySet();
    }

    private static String name(ResultSet result, String column) throws SQLException {
        String name = text(result, column);
        if (name.isBlank()) {
            throw new BadInput("'" + column + "' is empty");
        }
        return name;
    }

    private static String text(ResultSet result, String column) throws SQLException {
        String text = result.getString(column);
        if (text == null) {
            throw new BadInput("'" + column + "' is missing");
        }
        return text;
    }

    private static Key key(String text, Cell cell) {
        try {
            return OldKeys.isOld(text)
                    ? OldKeys.row(text, cell.model(), Estimators.parseStored(cell.estimator()))
                    : Key.parse(text);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new BadInput("its options are damaged", e);
        }
    }

    /** All bins, in the order of {@link #rows}, and within a cell by number. */
    public List<Bin> bins() {
        return database.query(
                "bins",
                "SELECT * FROM bins ORDER BY " + KEY + ", bin",
                result -> new Bin(
                        cell(result), result.getInt("bin"), result.getInt("nodes"), result.getDouble("accuracy")));
    }

    /** All numbers about the graphs, in the order of data set, name and indices. */
    public List<Statistic> statistics() {
        return database.query(
                "graphs",
                "SELECT * FROM graphs ORDER BY data, name, i, j",
                result -> new Statistic(
                        text(result, "data"),
                        text(result, "title"),
                        text(result, "name"),
                        result.getInt("i"),
                        result.getInt("j"),
                        result.getDouble("value")));
    }

    private static Cell cell(ResultSet result) throws SQLException {
        return new Cell(
                name(result, "data"),
                name(result, "model"),
                Estimators.parseStored(name(result, "estimator")).text(),
                Shifts.named(name(result, "shift")),
                name(result, "split"),
                result.getInt("initialisation"));
    }

    /** A format of tables for other programs. */
    public enum Format {
        /** CSV with a line of names. */
        CSV("(FORMAT csv, HEADER, USE_TMP_FILE false)"),
        /** One JSON array of objects. */
        JSON("(FORMAT json, ARRAY true, USE_TMP_FILE false)"),
        /** Parquet. */
        PARQUET("(FORMAT parquet, USE_TMP_FILE false)");

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
                temporary -> database.transaction(
                        connection -> {
                            try (Statement statement = connection.createStatement()) {
                                return statement.execute("COPY (SELECT * REPLACE (" + numbers
                                        + ") FROM results ORDER BY " + KEY + ") TO "
                                        + DuckDb.quoted(
                                                temporary.toAbsolutePath().toString()) + " " + format.options);
                            } catch (SQLException e) {
                                throw new BadInput(target + " cannot be written: " + DuckDb.reason(e), e);
                            }
                        },
                        List.of(temporary)));
    }

    /** What is not a number is left out, which all formats can say. */
    private String numbersOrNothing() {
        Set<String> columns = columnsOfResults();
        return Stream.concat(Measures.names().stream(), Stream.of("validation_accuracy"))
                .filter(columns::contains)
                .map(name -> "CASE WHEN isnan(" + name + ") THEN NULL ELSE " + name + " END AS " + name)
                .collect(Collectors.joining(", "));
    }
}
