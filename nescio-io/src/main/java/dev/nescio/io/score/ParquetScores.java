// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Scores as Parquet, with types: numbers, truth values, lists of labels. */
public final class ParquetScores implements ScoreFormat {

    @Override
    public String summary() {
        return "columns with types, compressed";
    }

    @Override
    public List<String> endings() {
        return List.of(".parquet");
    }

    @Override
    public void write(ScoreTable table, @Nullable Graph graph, Path file) {
        AtomicFile.make(file, place -> {
            Path rows = Files.createTempFile("nescio", ".ndjson");
            try {
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(rows), 1 << 16)) {
                    JsonLinesScores.write(table, out);
                }
                convert(table, rows, place);
            } finally {
                Files.deleteIfExists(rows);
            }
        });
    }

    private static void convert(ScoreTable table, Path rows, Path place) throws IOException {
        String columns = table.columns().entrySet().stream()
                .map(column -> quoted(column.getKey()) + ": " + quoted(type(column.getValue(), table.rows())))
                .collect(Collectors.joining(", ", "{", "}"));
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET autoinstall_known_extensions = false");
            statement.execute("COPY (SELECT * FROM read_json(" + quoted(rows.toString())
                    + ", format = 'newline_delimited', columns = " + columns + ")) TO " + quoted(place.toString())
                    + " (FORMAT parquet, COMPRESSION zstd)");
        } catch (SQLException e) {
            throw new IOException(
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** By the first value that is there; a column without any holds numbers. */
    private static String type(IntFunction<@Nullable Object> column, int rows) {
        Object first = IntStream.range(0, rows)
                .mapToObj(column)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(0.0);
        return first instanceof Number
                ? "DOUBLE"
                : first instanceof Boolean ? "BOOLEAN" : first instanceof List ? "VARCHAR[]" : "VARCHAR";
    }
}
