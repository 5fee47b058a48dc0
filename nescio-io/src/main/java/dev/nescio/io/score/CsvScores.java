// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Scores as CSV: one row per node, ids as they came in. */
public final class CsvScores implements ScoreFormat {

    @Override
    public String summary() {
        return "a row per node; the labels of a set are separated by bars";
    }

    @Override
    public List<String> endings() {
        return List.of(".csv", ".csv.gz");
    }

    @Override
    public void write(ScoreTable table, @Nullable Graph graph, Path file) {
        AtomicFile.write(file, out -> {
            if (file.toString().toLowerCase(Locale.ROOT).endsWith(".gz")) {
                GZIPOutputStream zipped = new GZIPOutputStream(out);
                write(table, zipped);
                zipped.finish();
            } else {
                write(table, out);
            }
        });
    }

    private static void write(ScoreTable table, OutputStream out) throws IOException {
        write(table, new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    /** Writes and flushes; does not close. */
    public static void write(ScoreTable table, Writer out) throws IOException {
        CsvWriter csv = CsvWriter.builder().build(out);
        csv.writeRecord(table.columns().keySet());
        writeRows(table, csv);
        csv.flush();
    }

    static void writeRows(ScoreTable table, CsvWriter csv) {
        List<IntFunction<@Nullable Object>> cells = List.copyOf(table.columns().values());
        String[] row = new String[cells.size()];
        for (int i = 0; i < table.rows(); i++) {
            for (int c = 0; c < row.length; c++) {
                row[c] = text(cells.get(c).apply(i));
            }
            csv.writeRecord(row);
        }
    }

    /** A value as one text; nothing is empty. */
    static String text(@Nullable Object value) {
        return value == null
                ? ""
                : value instanceof List<?> list
                        ? list.stream().map(String::valueOf).collect(Collectors.joining("|"))
                        : value.toString();
    }
}
