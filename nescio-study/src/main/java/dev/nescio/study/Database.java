// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.file.CrashPoint;
import dev.nescio.io.table.DuckDb;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.NescioException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A DuckDB file that is open only while somebody works with it, one transaction at a time, so that other processes can read it in
 * between. Thread-safe.
 */
final class Database {

    private static final int TRIES = 100;
    private static final long WAIT_MILLIS = 200;
    private static final Pattern OUR_FAULT =
            Pattern.compile("(Parser|Binder|Catalog|Constraint|Conversion|Invalid Input|Not implemented) Error");

    private static final String CATALOG = "store";
    private static final String OURS = "table_catalog = '" + CATALOG + "' AND table_schema = 'main'";

    private final Path file;

    Database(Path file) {
        this.file = file;
    }

    /** What is done in one transaction. */
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /** Makes something of a row. */
    interface Each<T> {
        T take(ResultSet result) throws SQLException;
    }

    /** @param what is read, for messages */
    <T> List<T> query(String what, String sql, Each<T> each) {
        return transaction(connection -> {
            List<T> all = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    all.add(taken(what, each, result, all.size() + 1));
                }
            }
            return all;
        });
    }

    /** Somebody else may have written what is read: whatever cannot be understood is the fault of the file. */
    private <T> T taken(String what, Each<T> each, ResultSet result, int row) throws SQLException {
        String place = file + ", row " + row + " of " + what;
        try {
            return each.take(result);
        } catch (NescioException e) {
            throw new BadInput(place + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new BadInput(place + " holds something that Nescio does not write", e);
        }
    }

    /** Another process may have the file for a moment. */
    <T> T transaction(Work<T> work) {
        return transaction(work, List.of());
    }

    /** The same, where the work reads or writes other files, too. */
    synchronized <T> T transaction(Work<T> work, List<Path> files) {
        for (int tries = 1; ; tries++) {
            try (Connection connection = connect(files)) {
                T result = work.with(connection);
                CrashPoint.pass();
                connection.commit();
                CrashPoint.pass();
                return result;
            } catch (SQLException e) {
                String message = String.valueOf(e.getMessage());
                boolean isTaken = message.contains("Could not set lock");
                if (isTaken && tries < TRIES) {
                    pause();
                } else {
                    throw failure(e, message, isTaken);
                }
            }
        }
    }

    /**
     * The file is attached to an empty database by its absolute path, as a quoted text: in a URL, or as a relative name, some file
     * names mean something else. Whatever views or macros the file holds, nothing is read or written but this file and those named.
     */
    private Connection connect(List<Path> files) throws SQLException {
        Connection connection = DuckDb.open(Map.of());
        try (Statement statement = connection.createStatement()) {
            boolean isWritable = !Files.exists(file) || (Files.isWritable(file) && Files.isWritable(folder()));
            statement.execute("ATTACH " + DuckDb.quoted(file.toAbsolutePath().toString()) + " AS " + CATALOG
                    + " (TYPE duckdb" + (isWritable ? ")" : ", READ_ONLY)"));
            statement.execute("USE " + CATALOG);
            DuckDb.confine(
                    connection, Stream.concat(Stream.of(file), files.stream()).toArray(Path[]::new));
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private Path folder() {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    /** A file that is damaged or in use is the user's business; a statement that the database does not understand is ours. */
    private RuntimeException failure(SQLException e, String message, boolean isTaken) {
        if (isTaken) {
            return new BadInput(file + " is in use by another program", e);
        }
        String first = message.lines().findFirst().orElse("");
        return OUR_FAULT.matcher(message).find()
                ? new IllegalStateException("a query of the results failed: " + first, e)
                : new BadInput(file + ": " + first, e);
    }

    private static void pause() {
        try {
            Thread.sleep(WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("interrupted while waiting for the results of the study", e);
        }
    }

    /**
     * The columns of every table with their types, by the name of the table. Refuses views and macros: Nescio makes none, and they do
     * whatever somebody else has written.
     */
    Map<String, Map<String, String>> tables() {
        List<String> foreign = query(
                "its views and macros",
                "SELECT table_name FROM information_schema.tables WHERE " + OURS
                        + " AND table_type <> 'BASE TABLE' UNION ALL"
                        + " SELECT function_name FROM duckdb_functions() WHERE database_name = '" + CATALOG
                        + "' AND NOT internal",
                result -> result.getString(1));
        if (!foreign.isEmpty()) {
            throw new BadInput(file + " is no store of a study: '" + foreign.get(0) + "' is not a table");
        }
        Map<String, Map<String, String>> tables = new TreeMap<>();
        query(
                "its columns",
                "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE " + OURS,
                result -> tables.computeIfAbsent(result.getString(1), name -> new TreeMap<>())
                        .put(result.getString(2), result.getString(3)));
        return tables;
    }

    static void insert(Connection connection, String table, List<String> columns, List<List<Object>> rows)
            throws SQLException {
        if (!rows.isEmpty()) {
            String marks = columns.stream().map(v -> "?").collect(Collectors.joining(", "));
            execute(
                    connection,
                    "INSERT INTO " + table + " (" + String.join(", ", columns) + ") VALUES (" + marks + ")",
                    rows);
        }
    }

    /** One statement for every list of values. */
    static void execute(Connection connection, String sql, List<List<Object>> all) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (List<Object> values : all) {
                for (int i = 0; i < values.size(); i++) {
                    statement.setObject(i + 1, values.get(i));
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
