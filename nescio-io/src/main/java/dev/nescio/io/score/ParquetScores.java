// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.table.DuckDb;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
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
            // In a folder that the next run removes, should this one be killed.
            try (WorkFolder work = WorkFolder.beside(file)) {
                Path rows = work.path().resolve("rows.ndjson");
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(rows), 1 << 16)) {
                    JsonLinesScores.write(table, out);
                }
                convert(table, rows, place);
            }
        });
    }

    private static void convert(ScoreTable table, Path rows, Path place) throws IOException {
        String columns = table.columns().keySet().stream()
                .map(column -> DuckDb.quoted(column) + ": " + DuckDb.quoted(type(table.kind(column))))
                .collect(Collectors.joining(", ", "{", "}"));
        try (Connection connection = DuckDb.open(Map.of());
                Statement statement = connection.createStatement()) {
            DuckDb.confine(connection, rows, place);
            statement.execute("COPY (SELECT * FROM read_json(" + DuckDb.quoted(DuckDb.pattern(rows))
                    + ", format = 'newline_delimited', columns = " + columns + ")) TO "
                    + DuckDb.quoted(place.toAbsolutePath().toString())
                    + " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)");
        } catch (SQLException e) {
            throw new IOException(
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        }
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
