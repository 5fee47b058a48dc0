package dev.nescio.detector;

import dev.nescio.graph.Preprocessing;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Training;
import dev.nescio.uncertainty.JldeOptions;
import java.util.Set;

/**
 * Everything that a user can choose about a detector.
 *
 * @param architecture name in {@link dev.nescio.model.Architectures}
 * @param leftOut classes that training must not see
 */
public record DetectorOptions(
        String architecture,
        ModelOptions model,
        Training training,
        Preprocessing preprocessing,
        JldeOptions estimator,
        Set<Integer> leftOut) {

    public DetectorOptions {
        leftOut = Set.copyOf(leftOut);
    }

    public static DetectorOptions defaults() {
        return new DetectorOptions(
                "res-gcn",
                ModelOptions.defaults(),
                Training.defaults(),
                Preprocessing.NONE,
                JldeOptions.defaults(),
                Set.of());
    }

    public DetectorOptions withSeed(long seed) {
        return new DetectorOptions(architecture, model, training.withSeed(seed), preprocessing, estimator, leftOut);
    }

    public DetectorOptions withLeftOut(Set<Integer> classes) {
        return new DetectorOptions(architecture, model, training, preprocessing, estimator, classes);
    }
}
