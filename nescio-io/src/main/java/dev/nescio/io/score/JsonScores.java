// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Scores as one JSON array of objects. */
public final class JsonScores implements ScoreFormat {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public String summary() {
        return "one array with an object per node";
    }

    @Override
    public List<String> endings() {
        return List.of(".json");
    }

    @Override
    public void write(ScoreTable table, @Nullable Graph graph, Path file) {
        AtomicFile.write(file, out -> {
            for (int i = 0; i < table.rows(); i++) {
                out.write((i == 0 ? "[\n" : ",\n").getBytes(StandardCharsets.UTF_8));
                out.write(JSON.writeValueAsBytes(table.row(i)));
            }
            out.write((table.rows() == 0 ? "[]\n" : "\n]\n").getBytes(StandardCharsets.UTF_8));
        });
    }
}
