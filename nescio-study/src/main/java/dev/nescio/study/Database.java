// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.file.CrashPoint;
import dev.nescio.problem.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    <T> List<T> query(String sql, Each<T> each) {
        return transaction(connection -> {
            List<T> all = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    all.add(each.take(result));
                }
            }
            return all;
        });
    }

    /** Another process may have the file for a moment. */
    synchronized <T> T transaction(Work<T> work) {
        for (int tries = 1; ; tries++) {
            try (Connection connection = connect()) {
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
     * names mean something else. Nothing is downloaded and no extension is loaded, whatever the file asks for.
     */
    private Connection connect() throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
        try (Statement statement = connection.createStatement()) {
            boolean isWritable = !Files.exists(file) || (Files.isWritable(file) && Files.isWritable(folder()));
            statement.execute("ATTACH " + quoted(file.toAbsolutePath().toString()) + " AS " + CATALOG + " (TYPE duckdb"
                    + (isWritable ? ")" : ", READ_ONLY)"));
            statement.execute("USE " + CATALOG);
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

    /** A text in a statement. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
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

    boolean hasTable(String name) {
        return !query(
                        "SELECT 1 FROM information_schema.tables WHERE table_catalog = '" + CATALOG
                                + "' AND table_name = '" + name + "'",
                        result -> 1)
                .isEmpty();
    }

    /** The columns of a table. */
    Set<String> columns(String table) {
        return Set.copyOf(query(
                "SELECT column_name FROM information_schema.columns WHERE table_catalog = '" + CATALOG
                        + "' AND table_name = '" + table + "'",
                result -> result.getString(1)));
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
