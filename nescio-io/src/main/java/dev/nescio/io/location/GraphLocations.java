// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.location;

import dev.nescio.graph.Graph;
import dev.nescio.io.graph.DglFolder;
import dev.nescio.io.graph.GraphLocation;
import dev.nescio.io.graph.GraphMl;
import dev.nescio.io.graph.NodesAndEdges;
import dev.nescio.io.graph.NpzGraph;
import dev.nescio.io.graph.OgbFolder;
import dev.nescio.io.graph.TableFolder;
import java.util.List;

/** The registry of places that graphs are read from; the first one that matches is meant. */
public final class GraphLocations {

    private static final List<GraphLocation> ALL = List.of(
            new BuiltinGraph(),
            new CatalogueGraph(),
            new NodesAndEdges(),
            new GraphMl(),
            new DglFolder(),
            new OgbFolder(),
            new TableFolder(),
            new NpzGraph());

    private GraphLocations() {}

    public static List<GraphLocation> all() {
        return ALL;
    }

    public static GraphLocation of(GraphLocation.Request request) {
        return ALL.stream()
                .filter(location -> location.matches(request))
                .findFirst()
                .orElseThrow();
    }

    public static Graph read(GraphLocation.Request request) {
        return of(request).read(request);
    }
}
