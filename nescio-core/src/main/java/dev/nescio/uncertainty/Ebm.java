package dev.nescio.uncertainty;

import dev.nescio.matrix.NdArray;
import java.util.Map;

/**
 * The logit energy as epistemic uncertainty (Liu et al. 2020): {@code -log sum_c exp(l_c)}. Needs logits only and learns
 * nothing; cheap, and blind to everything that the logits have forgotten.
 */
public final class Ebm implements Estimator, Fitted {

    @Override
    public String name() {
        return "ebm";
    }

    @Override
    public Fitted fit(Evidence evidence) {
        evidence.requireLogits(name());
        return this;
    }

    @Override
    public double[] score(Evidence evidence, Progress progress) {
        return Energy.of(evidence.requireLogits(name()));
    }

    @Override
    public Map<String, NdArray> state() {
        return Map.of();
    }
}
