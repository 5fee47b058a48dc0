package dev.nescio.uncertainty;

import dev.nescio.matrix.NdArray;
import java.util.Map;

/** Says how far from ordinary nodes are. Immutable, on the heap, safe to share between threads. */
public interface Fitted {

    /** One number per node, larger = more uncertain. Nothing is fitted again. */
    double[] score(Evidence evidence, Progress progress);

    default double[] score(Evidence evidence) {
        return score(evidence, Progress.NONE);
    }

    /** Whether scoring needs {@link Evidence#withoutEdges}, which costs a second forward pass. */
    default boolean needsForwardWithoutEdges() {
        return false;
    }

    /** Everything that scoring needs besides the options, for a file. */
    Map<String, NdArray> state();
}
