// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import org.jspecify.annotations.Nullable;

/** Reads the graph of the service again, for a detector that looks at its tables in another way. */
@FunctionalInterface
public interface GraphReader {

    /**
     * Reads the graph.
     *
     * @param schema how tables become features; null where the detector was not trained on tables
     */
    Graph read(@Nullable TableSchema schema);
}
