// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.detector.DriftReport;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What was kept at once. Whether it has drifted is found when somebody first asks. */
public final class Batch {

    /** The share of ordinary batches that may raise a false alarm, as {@code nescio watch} has it. */
    public static final double LEVEL = 0.01;

    private static final double ALPHA = 0.05;

    private final int number;
    private final String at;
    private final int first;
    private final int nodes;
    private final int edges;
    private final Loaded loaded;
    private final Overlay overlay;
    private @Nullable DriftReport drift;

    Batch(int number, String at, int first, int nodes, int edges, Loaded loaded, Overlay overlay) {
        this.number = number;
        this.at = at;
        this.first = first;
        this.nodes = nodes;
        this.edges = edges;
        this.loaded = loaded;
        this.overlay = overlay;
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

    /** Whether so few nodes came that no test could tell. */
    public boolean isTooFew() {
        return nodes < DriftReport.ENOUGH_NODES
                || loaded.detector().calibration().nodes() < DriftReport.ENOUGH_ORDINARY;
    }

    /** What the tests say; null where there are too few nodes. */
    public synchronized @Nullable DriftReport drift() {
        if (drift == null && !isTooFew()) {
            NodeSet batch = NodeSet.of(IntStream.range(first, first + nodes).toArray());
            drift = DriftReport.of(loaded.detector(), overlay, batch, ALPHA, LEVEL);
        }
        return drift;
    }
}
