package dev.nescio.io;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.nescio.detector.Scores;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Scores as a table: one row per node, ids as they came in. */
public final class ScoresFile {

    private ScoresFile() {}

    public static void write(Scores scores, Path file) {
        AtomicFile.write(file, out -> {
            write(scores, new OutputStreamWriter(out, StandardCharsets.UTF_8));
        });
    }

    /**
     * Writes and flushes; does not close. The first estimator is the column {@code epistemic}, further ones follow under
     * their names.
     */
    public static void write(Scores scores, Writer out) throws IOException {
        CsvWriter csv = CsvWriter.builder().build(out);
        List<String> header = new ArrayList<>(List.of("node", "predicted", "probability", "aleatoric", "epistemic"));
        scores.byEstimator().keySet().stream()
                .skip(1)
                .map(name -> "epistemic-" + name)
                .forEach(header::add);
        csv.writeRecord(header);
        for (int i = 0; i < scores.nodes(); i++) {
            List<String> row = new ArrayList<>(List.of(
                    scores.ids().name(i),
                    scores.predicted(i),
                    Double.toString(scores.prediction().probability()[i]),
                    Double.toString(scores.aleatoric(i))));
            for (Scores.Opinion opinion : scores.byEstimator().values()) {
                row.add(Double.toString(opinion.epistemic()[i]));
            }
            csv.writeRecord(row);
        }
        csv.flush();
    }
}
