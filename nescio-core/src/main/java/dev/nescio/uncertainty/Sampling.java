package dev.nescio.uncertainty;

import dev.nescio.matrix.NdArray;
import java.util.Map;
import java.util.function.Function;

/**
 * Uncertainty by disagreement: several networks (an ensemble) or several passes with dropout say different things about a
 * node. Predicts by the mean of what they say, and learns nothing by itself.
 */
public final class Sampling implements Estimator, Fitted {

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
    public Fitted fit(Evidence evidence) {
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
