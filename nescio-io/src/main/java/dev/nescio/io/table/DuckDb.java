// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.option.Nearest;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Connections to an embedded DuckDB. Nothing is downloaded and no extension is loaded. Once a connection is {@linkplain #confine confined},
 * statements, views and macros that somebody else has written can read and write no file but those that were named.
 */
public final class DuckDb {

    /** What DuckDB writes beside a database while it changes it. */
    private static final List<String> BESIDE = List.of("", ".wal", ".wal.checkpoint", ".wal.recovery", ".tmp");

    private DuckDb() {}

    /** Opens an empty database in memory, with further settings. The caller confines it before it looks at data, and closes it. */
    public static Connection open(Map<String, String> settings) throws SQLException {
        Properties all = new Properties();
        all.setProperty("allow_unsigned_extensions", "false");
        all.setProperty("allow_community_extensions", "false");
        all.setProperty("autoinstall_known_extensions", "false");
        all.setProperty("autoload_known_extensions", "false");
        settings.forEach(all::setProperty);
        return DriverManager.getConnection("jdbc:duckdb:", all);
    }

    /** From now on, only these files can be read and written, and no setting can be changed any more. */
    public static void confine(Connection connection, Path... files) throws SQLException {
        List<String> names = new ArrayList<>();
        for (Path file : files) {
            String name = file.toAbsolutePath().toString();
            BESIDE.forEach(ending -> names.add(quoted(name + ending)));
            names.add(quoted(pattern(file)));
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET allowed_paths = " + names.stream().collect(Collectors.joining(", ", "[", "]")));
            statement.execute("SET enable_external_access = false");
            statement.execute("SET lock_configuration = true");
        }
    }

    /** The version of the library, which is loaded and asked. */
    public static String version() {
        try (Connection connection = open(Map.of());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT version()")) {
            return result.next() ? result.getString(1) : "?";
        } catch (SQLException e) {
            throw new BadInput("DuckDB fails: " + reason(e), e);
        }
    }

    /** What DuckDB says, without what it says to programs. */
    public static String reason(SQLException e) {
        String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return Nearest.shortened(first.replaceFirst("\\s*\\{\"exception_type\".*", ""));
    }

    /** A file as a pattern that stands for this file alone: a name is a name, whatever characters it has. */
    public static String pattern(Path file) {
        return file.toAbsolutePath().toString().replaceAll("([*?\\[])", "[$1]");
    }

    /** A text in a statement. */
    public static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
