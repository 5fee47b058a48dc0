// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import dev.nescio.detector.Detector;
import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import org.jspecify.annotations.Nullable;

/** What a service answers about. */
public sealed interface Source {

    /** What people call the detector. */
    String name();

    /**
     * A graph and a detector that was trained.
     *
     * @param reader reads the same graph again, for a detector that looks at its tables in another way
     */
    record OfGraph(String name, Detector detector, Graph graph, Reader reader) implements Source {}

    /** States that clients send, and a detector that was fitted on such. */
    record OfStates(String name, EmbeddingDetector detector) implements Source {}

    /** Reads a graph again. */
    @FunctionalInterface
    interface Reader {

        /**
         * Reads it.
         *
         * @param schema how tables become features; null where the detector was not trained on tables
         */
        Graph read(@Nullable TableSchema schema);
    }
}
