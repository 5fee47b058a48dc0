// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Prediction;
import java.util.Map;
import java.util.Set;

/**
 * How little evidence a network that predicts a Dirichlet distribution has: {@code -log sum_c alpha_c}, which ranks as the
 * usual {@code -sum_c alpha_c} and does not overflow. Predicts by the mean {@code alpha_c / sum alpha}.
 */
public final class Evidential implements Estimator, FittedEstimator {

    @Override
    public About about() {
        return new About(
                "evidential",
                "how little evidence an evidential network has; free, for such networks only",
                Need.CONCENTRATIONS.text(),
                "Evidential Deep Learning to Quantify Classification Uncertainty, NeurIPS 2018");
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.CONCENTRATIONS);
    }

    @Override
    public boolean predictsItself() {
        return true;
    }

    @Override
    public boolean learnsNothing() {
        return true;
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
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
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        return this;
    }

    @Override
    public Map<String, NdArray> state() {
        return Map.of();
    }
}
