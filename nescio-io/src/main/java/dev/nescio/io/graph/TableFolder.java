// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.io.table.TableFormats;
import dev.nescio.problem.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder with a table of nodes and a table of edges. */
public final class TableFolder implements GraphLocation {

    @Override
    public String form() {
        return "FOLDER";
    }

    @Override
    public String summary() {
        return "a folder with tables called nodes and edges, as " + String.join(", ", TableFormats.endings());
    }

    @Override
    public boolean matches(Request request) {
        return Files.isDirectory(request.path());
    }

    @Override
    public boolean hasColumns() {
        return true;
    }

    @Override
    public Graph read(Request request) {
        Path folder = request.path();
        return request.tables()
                .tables(
                        TableGraph.name(folder.toAbsolutePath().normalize()),
                        within(folder, "nodes"),
                        within(folder, "edges"));
    }

    private static Path within(Path folder, String name) {
        return TableFormats.within(folder, name)
                .orElseThrow(() ->
                        new BadInput(folder + " has no " + name + " as " + String.join(", ", TableFormats.endings())
                                + ", no meta.yaml and no raw folder: it is not a graph in a known layout"));
    }
}
