// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.nescio.detector.ScoreTable;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadConfiguration;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/** Scores that are written while they are computed, block by block: CSV or JSON lines. */
public final class ScoreStream {

    private ScoreStream() {}

    /** Refuses a file whose format needs all scores at once. */
    public static void require(Path file) {
        ScoreFormat format = ScoreFormats.of(file);
        if (!(format instanceof CsvScores || format instanceof JsonLinesScores)) {
            throw new BadConfiguration(
                    file + ": with --memory, scores can be written as .csv, .csv.gz, .ndjson or .jsonl");
        }
    }

    /** Lets somebody write blocks, all with the same columns; the file is there whole or not at all. */
    public static void write(Path file, Consumer<Consumer<ScoreTable>> blocks) {
        require(file);
        boolean isLines = ScoreFormats.of(file) instanceof JsonLinesScores;
        boolean isZipped = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
        AtomicFile.write(file, out -> {
            OutputStream target = isZipped ? new GZIPOutputStream(out) : out;
            try {
                blocks.accept(isLines ? lines(target) : csv(target));
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            if (target instanceof GZIPOutputStream zipped) {
                zipped.finish();
            }
        });
    }

    private static Consumer<ScoreTable> lines(OutputStream out) {
        return table -> {
            try {
                JsonLinesScores.write(table, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private static Consumer<ScoreTable> csv(OutputStream out) {
        CsvWriter csv = CsvWriter.builder().build(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        boolean[] isBegun = {false};
        return table -> {
            try {
                if (!isBegun[0]) {
                    csv.writeRecord(List.copyOf(table.columns().keySet()));
                    isBegun[0] = true;
                }
                CsvScores.writeRows(table, csv);
                csv.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
