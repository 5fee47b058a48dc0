package dev.nescio.io;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.nescio.detector.Scores;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Scores as a table: one row per node, ids as they came in. */
public final class ScoresFile {

    private ScoresFile() {}

    public static void write(Scores scores, Path file) {
        AtomicFile.write(file, out -> {
            write(scores, new OutputStreamWriter(out, StandardCharsets.UTF_8));
        });
    }

    /** Writes and flushes; does not close. */
    public static void write(Scores scores, Writer out) throws IOException {
        CsvWriter csv = CsvWriter.builder().build(out);
        csv.writeRecord("node", "predicted", "probability", "aleatoric", "epistemic");
        for (int i = 0; i < scores.nodes(); i++) {
            csv.writeRecord(
                    scores.ids().name(i),
                    scores.predicted(i),
                    Double.toString(scores.prediction().probability()[i]),
                    Double.toString(scores.aleatoric()[i]),
                    Double.toString(scores.epistemic()[i]));
        }
        csv.flush();
    }
}
