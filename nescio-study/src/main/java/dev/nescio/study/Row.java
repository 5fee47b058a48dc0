package dev.nescio.study;

import java.util.Map;

/**
 * A cell and what was found out.
 *
 * @param measures by the names of {@link Measures}
 * @param provenance where it comes from
 */
public record Row(Cell cell, Map<String, Double> measures, Provenance provenance) {

    /**
     * How a row came about.
     *
     * @param secondsTrain of all trainings that it rests on
     * @param secondsFit of the estimator, with the forward passes that it needs
     * @param secondsScore of all nodes, likewise
     * @param options of network, training and estimator
     * @param fingerprint of the graph
     * @param version of Nescio and of libtorch
     */
    public record Provenance(
            double secondsTrain,
            double secondsFit,
            double secondsScore,
            int epochs,
            double validationAccuracy,
            long seed,
            String options,
            String fingerprint,
            String version) {}

    public double get(String measure) {
        return measures.getOrDefault(measure, Double.NaN);
    }
}
