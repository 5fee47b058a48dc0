// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.io.table.TableFormats;
import dev.nescio.problem.BadConfiguration;
import java.nio.file.Path;

/** A table of nodes, with a table of edges beside it. */
public final class NodesAndEdges implements GraphLocation {

    @Override
    public String form() {
        return "NODES --edges EDGES";
    }

    @Override
    public String summary() {
        return "a table of nodes and a table of edges, as " + String.join(", ", TableFormats.endings());
    }

    @Override
    public boolean matches(Request request) {
        return request.edges() != null || TableFormats.find(request.path()).isPresent();
    }

    @Override
    public boolean hasColumns() {
        return true;
    }

    @Override
    public Graph read(Request request) {
        Path edges = request.edges();
        if (edges == null) {
            throw new BadConfiguration(
                    request.place() + " is a table of nodes; --edges must name the table of their edges");
        }
        return request.tables().tables(request.path(), edges);
    }
}
