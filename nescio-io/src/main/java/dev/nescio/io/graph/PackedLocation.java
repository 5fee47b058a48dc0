// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.problem.BadInput;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A packed graph, read into memory as a whole. */
public final class PackedLocation implements GraphLocation {

    /** How the names of such files end. */
    public static final String ENDING = ".npk";

    @Override
    public String form() {
        return "FILE" + ENDING;
    }

    @Override
    public String summary() {
        return "a graph that 'nescio pack' wrote; with --memory it is read block by block";
    }

    @Override
    public boolean matches(Request request) {
        return isNamed(request.place());
    }

    /** Whether a name is that of a packed graph. */
    public static boolean isNamed(String place) {
        return place.toLowerCase(Locale.ROOT).endsWith(ENDING);
    }

    @Override
    public boolean hasColumns() {
        return true;
    }

    @Override
    public Graph read(Request request) {
        try (PackedGraph graph = PackedGraph.open(request.path())) {
            requireSame(graph, request.schema(), request.place());
            return graph.toGraph();
        }
    }

    /** Refuses a graph whose columns became features in another way than a detector expects; null for anything. */
    public static void requireSame(PackedGraph graph, @Nullable TableSchema expected, String place) {
        TableSchema packed = graph.schema();
        if (expected != null && (packed == null || !packed.columns().equals(expected.columns()))) {
            throw new BadInput(place
                    + " was packed with other columns, or with columns scaled otherwise, than the detector was trained on;"
                    + " 'nescio pack --like DETECTOR' packs tables for a detector");
        }
    }
}
