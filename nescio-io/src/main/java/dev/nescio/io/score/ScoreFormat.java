// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Graph;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of file that scores are written to. */
public interface ScoreFormat {

    /** What it is, in one line. */
    String summary();

    /** How the names of its files end: {@code .csv}. */
    List<String> endings();

    /** Whether it holds edges, too: then it needs the graph, and all of its nodes. */
    default boolean needsGraph() {
        return false;
    }

    /**
     * Writes a file whole or not at all.
     *
     * @param graph that was scored; null where there is none, as for hidden states of another network
     */
    void write(ScoreTable table, @Nullable Graph graph, Path file);
}
