package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.NdArray;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.Samples;
import java.util.Map;
import java.util.function.Function;

/**
 * Uncertainty by disagreement: several networks (an ensemble) or several passes with dropout say different things about a
 * node. Predicts by the mean of what they say, and learns nothing by itself.
 */
public final class Sampling implements Estimator, FittedEstimator {

    private final String name;
    private final Need source;
    private final Function<Samples, double[]> measure;

    /**
     * @param source of the samples: {@link Need#RANDOM_PASSES} or {@link Need#ENSEMBLE}
     * @param measure of disagreement
     */
    public Sampling(String name, Need source, Function<Samples, double[]> measure) {
        this.name = name;
        this.source = source;
        this.measure = measure;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public FittedEstimator fit(Evidence evidence) {
        return this;
    }

    @Override
    public double[] score(Evidence evidence, Progress progress) {
        return measure.apply(evidence.requireSamples(name, source));
    }

    @Override
    public Prediction prediction(Evidence evidence) {
        return evidence.requireSamples(name, source).prediction();
    }

    @Override
    public Map<String, NdArray> state() {
        return Map.of();
    }
}
