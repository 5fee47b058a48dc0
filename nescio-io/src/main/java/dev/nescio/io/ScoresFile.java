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
import org.jspecify.annotations.Nullable;

/** Scores as a table: one row per node, ids as they came in. */
public final class ScoresFile {

    private ScoresFile() {}

    /** Without decisions but for p-values. */
    public static void write(Scores scores, Path file) {
        write(scores, Decisions.of(scores, Decisions.Wishes.NONE), file);
    }

    public static void write(Scores scores, Decisions decisions, Path file) {
        write(scores, decisions, file, false);
    }

    /** @param spreadsheet whether texts that look like formulas are marked as text */
    public static void write(Scores scores, Decisions decisions, Path file, boolean spreadsheet) {
        AtomicFile.write(file, out -> {
            write(scores, decisions, new OutputStreamWriter(out, StandardCharsets.UTF_8), spreadsheet);
        });
    }

    /** Whether a spreadsheet would compute a text instead of showing it. */
    public static boolean isFormula(String text) {
        return !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    }

    /**
     * Writes and flushes; does not close. The first estimator is the column {@code epistemic}, further ones follow under
     * their names.
     */
    public static void write(Scores scores, Decisions decisions, Writer out, boolean spreadsheet) throws IOException {
        CsvWriter csv = CsvWriter.builder().build(out);
        Map<String, IntFunction<@Nullable Object>> columns = ScoreTable.columns(scores, decisions);
        csv.writeRecord(columns.keySet());
        List<IntFunction<@Nullable Object>> cells = List.copyOf(columns.values());
        String[] row = new String[cells.size()];
        for (int i = 0; i < scores.nodes(); i++) {
            for (int c = 0; c < row.length; c++) {
                row[c] = text(cells.get(c).apply(i), spreadsheet);
            }
            csv.writeRecord(row);
        }
        csv.flush();
    }

    private static String text(@Nullable Object value, boolean spreadsheet) {
        if (value == null) {
            return "";
        }
        String text = value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining("|"))
                : value.toString();
        return spreadsheet && !(value instanceof Number) && isFormula(text) ? "'" + text : text;
    }
}
