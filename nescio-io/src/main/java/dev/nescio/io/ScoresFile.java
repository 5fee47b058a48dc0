// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.nescio.detector.Decisions;
import dev.nescio.detector.ScoreTable;
import dev.nescio.detector.Scores;
import dev.nescio.io.file.AtomicFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Scores as a table: one row per node, ids as they came in. */
public final class ScoresFile {

    private ScoresFile() {}

    /** Without decisions but for p-values. */
    public static void write(Scores scores, Path file) {
        write(scores, Decisions.of(scores, Decisions.Wishes.NONE), file);
    }

    public static void write(Scores scores, Decisions decisions, Path file) {
        AtomicFile.write(file, out -> {
            write(scores, decisions, new OutputStreamWriter(out, StandardCharsets.UTF_8));
        });
    }

    /**
     * Writes and flushes; does not close. The first estimator is the column {@code epistemic}, further ones follow under
     * their names.
     */
    public static void write(Scores scores, Decisions decisions, Writer out) throws IOException {
        CsvWriter csv = CsvWriter.builder().build(out);
        Map<String, IntFunction<Object>> columns = ScoreTable.columns(scores, decisions);
        csv.writeRecord(columns.keySet());
        List<IntFunction<Object>> cells = List.copyOf(columns.values());
        String[] row = new String[cells.size()];
        for (int i = 0; i < scores.nodes(); i++) {
            for (int c = 0; c < row.length; c++) {
                row[c] = text(cells.get(c).apply(i));
            }
            csv.writeRecord(row);
        }
        csv.flush();
    }

    private static String text(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining("|"))
                : value.toString();
    }
}
