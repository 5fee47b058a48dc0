// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.problem.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Parquet file, read by an embedded DuckDB that may touch nothing but this file. */
public final class ParquetTable implements TableReader {

    private final Path file;
    private final Connection connection;
    private final ResultSet rows;
    private final List<String> columns = new ArrayList<>();
    private final boolean[] numeric;
    private long row;

    private ParquetTable(Path file, Connection connection, ResultSet rows) throws SQLException {
        this.file = file;
        this.connection = connection;
        this.rows = rows;
        ResultSetMetaData meta = rows.getMetaData();
        this.numeric = new boolean[meta.getColumnCount()];
        for (int i = 0; i < numeric.length; i++) {
            columns.add(meta.getColumnName(i + 1));
            numeric[i] = isNumeric(meta.getColumnType(i + 1));
        }
    }

    /** Opens a file, whose rows are read as they are asked for. Refuses a missing file, and one that is not Parquet. */
    public static ParquetTable open(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new BadInput(file + " does not exist or is not a file");
        }
        Connection connection = null;
        try {
            connection = DuckDb.open(Map.of("jdbc_stream_results", "true", "memory_limit", "1GB"));
            DuckDb.confine(connection, file);
            Statement statement = connection.createStatement();
            return new ParquetTable(
                    file,
                    connection,
                    statement.executeQuery("SELECT * FROM read_parquet(" + DuckDb.quoted(DuckDb.pattern(file))
                            + ", hive_partitioning = false)"));
        } catch (SQLException e) {
            closeQuietly(connection);
            throw problem(file, e);
        }
    }

    private static BadInput problem(Path file, SQLException e) {
        String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return new BadInput(file + " is not a Parquet file or is damaged: " + reason, e);
    }

    private static boolean isNumeric(int type) {
        return switch (type) {
            case Types.BOOLEAN,
                    Types.TINYINT,
                    Types.SMALLINT,
                    Types.INTEGER,
                    Types.BIGINT,
                    Types.FLOAT,
                    Types.REAL,
                    Types.DOUBLE,
                    Types.DECIMAL,
                    Types.NUMERIC -> true;
            default -> false;
        };
    }

    @Override
    public boolean next() {
        try {
            row++;
            return rows.next();
        } catch (SQLException e) {
            throw problem(file, e);
        }
    }

    @Override
    public @Nullable String text(int column) {
        try {
            Object value = rows.getObject(column + 1);
            return value == null ? null : value.toString();
        } catch (SQLException e) {
            throw problem(file, e);
        }
    }

    @Override
    public double number(int column) {
        if (!numeric[column]) {
            return TableReader.super.number(column);
        }
        try {
            if (rows.getObject(column + 1) instanceof Boolean flag) {
                return flag ? 1 : 0;
            }
            double value = rows.getDouble(column + 1);
            return rows.wasNull() ? Double.NaN : value;
        } catch (SQLException e) {
            throw problem(file, e);
        }
    }

    @Override
    public long row() {
        return row;
    }

    @Override
    public String file() {
        return file.toString();
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public void close() {
        closeQuietly(connection);
    }

    private static void closeQuietly(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            System.getLogger(ParquetTable.class.getName()).log(System.Logger.Level.DEBUG, "not closed", e);
        }
    }
}
