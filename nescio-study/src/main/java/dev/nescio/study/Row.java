// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.option.Key;
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
     * @param key of network, training, estimator and judging: whatever differs from the defaults
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
            Key key,
            String fingerprint,
            String version) {}

    /** A measure by its name; NaN where it is not known. */
    public double get(String measure) {
        return measures.getOrDefault(measure, Double.NaN);
    }
}
