// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;

/** A file of arrays, in one of several layouts. */
public final class NpzGraph implements GraphLocation {

    @Override
    public String form() {
        return "FILE.npz";
    }

    @Override
    public String summary() {
        return "arrays of NumPy in the layouts of the heterophilous graphs, of CitationFull or of this program";
    }

    /** Whatever is nothing else: its name need not end in npz. */
    @Override
    public boolean matches(Request request) {
        return true;
    }

    @Override
    public Graph read(Request request) {
        return GraphFile.read(request.path());
    }
}
