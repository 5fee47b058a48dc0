// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.matrix.NdArray;
import dev.nescio.progress.Progress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says how far from ordinary nodes are. Immutable, on the heap, safe to share between threads. */
public interface FittedEstimator {

    /** One number per node, larger = more uncertain. Nothing is fitted again. */
    double[] score(Evidence evidence, Progress progress);

    /** Scores every node of the evidence without reporting progress; larger means more uncertain. */
    default double[] score(Evidence evidence) {
        return score(evidence, Progress.NONE);
    }

    /** What the estimator itself predicts; null where that is what the logits say. */
    default @Nullable Prediction prediction(Evidence evidence) {
        return null;
    }

    /** Something that a user should know about the fit; empty for nothing. */
    default String remark() {
        return "";
    }

    /** Everything that scoring needs besides the options, for a file. */
    Map<String, NdArray> state();
}
