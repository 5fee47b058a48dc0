package dev.nescio.detector;

import dev.nescio.graph.Preprocessing;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Training;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.JldeOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything that a user can choose about a detector.
 *
 * @param architecture name in {@link dev.nescio.model.Architectures}
 * @param estimators names in {@link dev.nescio.uncertainty.Estimators}; the first one is the epistemic uncertainty
 * @param jlde choices of those of them that belong to the JLDE family
 * @param leftOut classes that training must not see
 */
public record DetectorOptions(
        String architecture,
        ModelOptions model,
        Training training,
        Preprocessing preprocessing,
        List<String> estimators,
        JldeOptions jlde,
        Set<Integer> leftOut) {

    public DetectorOptions {
        estimators = List.copyOf(estimators);
        leftOut = Set.copyOf(leftOut);
        if (estimators.isEmpty()) {
            throw new BadConfiguration("at least one estimator is needed");
        }
        if (new HashSet<>(estimators).size() < estimators.size()) {
            throw new BadConfiguration("each estimator can be named once, got " + String.join(", ", estimators));
        }
    }

    public static DetectorOptions defaults() {
        return new DetectorOptions(
                "res-gcn",
                ModelOptions.defaults(),
                Training.defaults(),
                Preprocessing.NONE,
                List.of("jlde"),
                JldeOptions.defaults(),
                Set.of());
    }

    public DetectorOptions withSeed(long seed) {
        return new DetectorOptions(
                architecture, model, training.withSeed(seed), preprocessing, estimators, jlde, leftOut);
    }

    public DetectorOptions withLeftOut(Set<Integer> classes) {
        return new DetectorOptions(architecture, model, training, preprocessing, estimators, jlde, classes);
    }

    public DetectorOptions withEstimators(List<String> names) {
        return new DetectorOptions(architecture, model, training, preprocessing, names, jlde, leftOut);
    }
}
