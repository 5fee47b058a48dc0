// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.detector.DriftReport;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What was kept at once. Whether it has drifted is found in the background ({@link DriftWatch}). */
public final class Batch {

    /** The share of ordinary batches that may raise a false alarm, as {@code nescio watch} has it. */
    public static final double LEVEL = 0.01;

    private static final double ALPHA = 0.05;

    private final int number;
    private final String at;
    private final int first;
    private final int nodes;
    private final int edges;
    private final boolean isTooSmall;
    private volatile @Nullable DriftReport drift;

    /** What the tests look at; null as soon as nothing is left to test, so that later states do not keep earlier graphs. */
    private volatile @Nullable Evidence evidence;

    /** The detector and the graph of the moment. */
    private record Evidence(Loaded loaded, Overlay overlay) {}

    Batch(int number, String at, int first, int nodes, int edges, Loaded loaded, Overlay overlay) {
        this.number = number;
        this.at = at;
        this.first = first;
        this.nodes = nodes;
        this.edges = edges;
        this.isTooSmall = nodes < DriftReport.ENOUGH_NODES || loaded.ordinary() == null;
        this.evidence = isTooSmall ? null : new Evidence(loaded, overlay);
    }

    /** From 1. */
    public int number() {
        return number;
    }

    /** When it was kept. */
    public String at() {
        return at;
    }

    /** How many nodes it brought. */
    public int nodes() {
        return nodes;
    }

    /** How many edges it named. */
    public int edges() {
        return edges;
    }

    /** Whether there are so few nodes, in the batch or held out, that no drift does not mean much. */
    public boolean isTooFew() {
        DriftReport found = drift;
        return found == null ? isTooSmall : found.isTooFew() && !found.isDrift(LEVEL);
    }

    /** Whether the tests are still to be made. */
    public boolean isPending() {
        return evidence != null;
    }

    /** What the tests say; null where there are too few nodes, and as long as they are pending. */
    public @Nullable DriftReport drift() {
        return drift;
    }

    /** Makes the tests, once. */
    void findDrift() {
        Evidence given = evidence;
        if (given == null) {
            return;
        }
        try {
            NodeSet batch = NodeSet.of(IntStream.range(first, first + nodes).toArray());
            drift = DriftReport.of(given.loaded.detector(), given.overlay, batch, ALPHA, LEVEL);
        } finally {
            evidence = null;
        }
    }
}
