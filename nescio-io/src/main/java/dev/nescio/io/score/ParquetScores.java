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
import java.util.stream.Collectors;
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
        String columns = table.columns().keySet().stream()
                .map(column -> quoted(column) + ": " + quoted(type(table.kind(column))))
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

    private static String type(ScoreTable.Kind kind) {
        return switch (kind) {
            case NUMBER -> "DOUBLE";
            case TRUTH -> "BOOLEAN";
            case TEXTS -> "VARCHAR[]";
            case TEXT -> "VARCHAR";
        };
    }
}
