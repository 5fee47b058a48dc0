// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import java.util.List;

/**
 * Where a detector comes from, enough to make it again.
 *
 * @param graph name of the graph
 * @param fingerprint of the graph as it was read
 * @param split name of the split
 * @param leftOut names of the classes that training did not see
 * @param threads that the arithmetic was spread over, which changes nothing but the time
 * @param epochs trained
 * @param bestEpoch whose weights were kept
 * @param engine version of libtorch
 */
public record Provenance(
        String graph,
        String fingerprint,
        int nodes,
        int edges,
        String split,
        List<String> leftOut,
        int threads,
        int epochs,
        int bestEpoch,
        double validationAccuracy,
        String engine) {

    /** The same of a graph with so many nodes and edges. */
    Provenance of(long allNodes, long allEdges) {
        return new Provenance(
                graph,
                fingerprint,
                (int) Math.min(Integer.MAX_VALUE, allNodes),
                (int) Math.min(Integer.MAX_VALUE, allEdges),
                split,
                leftOut,
                threads,
                epochs,
                bestEpoch,
                validationAccuracy,
                engine);
    }
}
