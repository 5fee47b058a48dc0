// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.location;

import dev.nescio.graph.Graph;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSets;
import dev.nescio.io.graph.GraphLocation;

/** A published graph from the folder of data sets. */
public final class CatalogueGraph implements GraphLocation {

    private static final String PREFIX = "data:";

    @Override
    public String form() {
        return "data:NAME";
    }

    @Override
    public String summary() {
        return "a published graph, see 'nescio data list'";
    }

    @Override
    public boolean matches(Request request) {
        return request.place().startsWith(PREFIX);
    }

    @Override
    public Graph read(Request request) {
        return DataFolder.standard().read(DataSets.named(request.place().substring(PREFIX.length())));
    }
}
