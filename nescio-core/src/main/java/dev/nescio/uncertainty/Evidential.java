package dev.nescio.uncertainty;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import java.util.Map;

/**
 * How little evidence a network that predicts a Dirichlet distribution has: {@code -log sum_c alpha_c}, which ranks as the
 * usual {@code -sum_c alpha_c} and does not overflow. Predicts by the mean {@code alpha_c / sum alpha}.
 */
public final class Evidential implements Estimator, Fitted {

    @Override
    public String name() {
        return "evidential";
    }

    @Override
    public Fitted fit(Evidence evidence) {
        logConcentrations(evidence);
        return this;
    }

    @Override
    public double[] score(Evidence evidence, Progress progress) {
        return Energy.of(logConcentrations(evidence));
    }

    @Override
    public Prediction prediction(Evidence evidence) {
        return Prediction.of(logConcentrations(evidence));
    }

    private DenseMatrix logConcentrations(Evidence evidence) {
        return evidence.requireConcentrations(name());
    }

    @Override
    public Map<String, NdArray> state() {
        return Map.of();
    }
}
