// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.location;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.graph.GraphLocation;

/** A graph that is generated. */
public final class BuiltinGraph implements GraphLocation {

    /** How a place begins that names a generated graph. */
    public static final String PREFIX = "builtin:";

    @Override
    public String form() {
        return "builtin:NAME?SETTING=VALUE";
    }

    @Override
    public String summary() {
        return "a generated graph, see 'nescio inspect'";
    }

    @Override
    public boolean matches(Request request) {
        return request.place().startsWith(PREFIX);
    }

    @Override
    public Graph read(Request request) {
        return BuiltinGraphs.make(request.place().substring(PREFIX.length()));
    }
}
