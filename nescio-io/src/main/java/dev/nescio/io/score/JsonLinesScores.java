// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Scores as JSON, one object per line. */
public final class JsonLinesScores implements ScoreFormat {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public String summary() {
        return "an object per line and node";
    }

    @Override
    public List<String> endings() {
        return List.of(".ndjson", ".jsonl");
    }

    @Override
    public void write(ScoreTable table, @Nullable Graph graph, Path file) {
        AtomicFile.write(file, out -> write(table, out));
    }

    /** Writes one line per row; does not close. */
    public static void write(ScoreTable table, OutputStream out) throws IOException {
        for (int i = 0; i < table.rows(); i++) {
            out.write(JSON.writeValueAsBytes(table.row(i)));
            out.write('\n');
        }
    }
}
