// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.NdArray;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.Map;

/**
 * The logit energy as epistemic uncertainty (Liu et al. 2020): {@code -log sum_c exp(l_c)}. Needs logits only and learns
 * nothing; cheap, and blind to everything that the logits have forgotten.
 */
public final class Ebm implements Estimator, FittedEstimator {

    @Override
    public About about() {
        return new About(
                "ebm",
                "energy of the logits; free, a baseline",
                "logits",
                "Energy-based Out-of-distribution Detection, NeurIPS 2020");
    }

    @Override
    public boolean learnsNothing() {
        return true;
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        evidence.requireLogits(name());
        return this;
    }

    @Override
    public double[] score(Evidence evidence, Progress progress) {
        return Energy.of(evidence.requireLogits(name()));
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        return this;
    }

    @Override
    public Map<String, NdArray> state() {
        return Map.of();
    }
}
