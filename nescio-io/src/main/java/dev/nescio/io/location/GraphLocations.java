// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.location;

import dev.nescio.graph.Graph;
import dev.nescio.io.graph.DglFolder;
import dev.nescio.io.graph.GraphLocation;
import dev.nescio.io.graph.GraphMl;
import dev.nescio.io.graph.NodesAndEdges;
import dev.nescio.io.graph.NpzGraph;
import dev.nescio.io.graph.OgbFolder;
import dev.nescio.io.graph.PackedLocation;
import dev.nescio.io.graph.TableFolder;
import java.util.List;

/** The registry of places that graphs are read from; the first one that matches is meant. */
public final class GraphLocations {

    private static final List<GraphLocation> ALL = List.of(
            new BuiltinGraph(),
            new CatalogueGraph(),
            new PackedLocation(),
            new NodesAndEdges(),
            new GraphMl(),
            new DglFolder(),
            new OgbFolder(),
            new TableFolder(),
            new NpzGraph());

    private GraphLocations() {}

    /** All kinds of places, in the order in which they are asked. */
    public static List<GraphLocation> all() {
        return ALL;
    }

    /** The kind of place that a request means. Always finds one: what nothing else matches is taken for an npz file. */
    public static GraphLocation of(GraphLocation.Request request) {
        return ALL.stream()
                .filter(location -> location.matches(request))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Reads a graph from whatever kind of place a request means; refuses what is missing or damaged.
     *
     * <pre>{@code
     * Graph blocks = GraphLocations.read(GraphLocation.Request.of("builtin:blocks"));
     * Graph own = GraphLocations.read(GraphLocation.Request.of("graph.npz"));
     * }</pre>
     */
    public static Graph read(GraphLocation.Request request) {
        return of(request).read(request);
    }
}
