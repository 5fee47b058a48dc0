// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A kind of place that a graph can be read from. */
public interface GraphLocation {

    /** How it is written: {@code builtin:NAME}. */
    String form();

    /** What it is, in one line. */
    String summary();

    /** Whether a request means a place of this kind. */
    boolean matches(Request request);

    /** Whether features come from the columns of tables, whose meaning is learned. */
    default boolean hasColumns() {
        return false;
    }

    /** Reads the graph of a request that {@link #matches} accepts; refuses what is missing or damaged. */
    Graph read(Request request);

    /**
     * What is to be read.
     *
     * @param place as a user wrote it
     * @param edges the table of edges that belongs to a table of nodes; null where none was named
     * @param layout what the columns of tables mean
     * @param schema what they meant when a detector was trained; null to learn it
     */
    record Request(
            String place,
            @Nullable Path edges,
            TableLayout layout,
            @Nullable TableSchema schema,
            TableGraph.Listener listener) {

        /** With all defaults. */
        public static Request of(String place) {
            return new Request(place, null, TableLayout.defaults(), null, TableGraph.Listener.NONE);
        }

        /** The place as a path in the file system. */
        public Path path() {
            return Path.of(place);
        }

        TableGraph tables() {
            return TableGraph.reader(layout, schema, listener);
        }
    }
}
