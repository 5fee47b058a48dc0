package dev.nescio.detector;

import dev.nescio.graph.Preprocessing;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.JldeOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything that a user can choose about a detector.
 *
 * @param architecture name in {@link dev.nescio.model.network.Architectures}
 * @param estimators names in {@link dev.nescio.uncertainty.estimator.Estimators}; the first one is the epistemic uncertainty
 * @param jlde choices of those of them that belong to the JLDE family
 * @param sampling choices of those of them that sample
 * @param calibrate whether a temperature is fitted on the validation nodes, for probabilities and aleatoric uncertainty
 * @param heldOut share of the validation nodes that choose nothing and tell what is ordinary; 0 lets all of them do both, which
 *     makes them a little unlike other nodes
 * @param leftOut classes that training must not see
 */
public record DetectorOptions(
        String architecture,
        ModelOptions model,
        TrainingOptions training,
        Preprocessing preprocessing,
        List<String> estimators,
        JldeOptions jlde,
        SamplingOptions sampling,
        boolean calibrate,
        double heldOut,
        Set<Integer> leftOut) {

    public DetectorOptions {
        estimators = List.copyOf(estimators);
        leftOut = Set.copyOf(leftOut);
        if (!(heldOut >= 0 && heldOut < 1)) {
            throw new BadConfiguration("the share of held-out nodes must be at least 0 and below 1, got " + heldOut);
        }
        if (estimators.isEmpty()) {
            throw new BadConfiguration("at least one estimator is needed");
        }
        if (new HashSet<>(estimators).size() < estimators.size()) {
            throw new BadConfiguration("each estimator can be named once, got " + String.join(", ", estimators));
        }
        if (model.dropout() == 0
                && !Architectures.named(architecture).isBayesian()
                && Estimators.anyNeeds(estimators, Need.RANDOM_PASSES)) {
            throw new BadConfiguration("passes with dropout differ only where the dropout rate is above 0");
        }
    }

    public static DetectorOptions defaults() {
        return new DetectorOptions(
                "res-gcn",
                ModelOptions.defaults(),
                TrainingOptions.defaults(),
                Preprocessing.NONE,
                List.of("jlde"),
                JldeOptions.defaults(),
                SamplingOptions.defaults(),
                false,
                0.5,
                Set.of());
    }

    /** How many networks must be trained. */
    public int networks() {
        return Estimators.anyNeeds(estimators, Need.ENSEMBLE) ? sampling.members() : 1;
    }

    public DetectorOptions withArchitecture(String name) {
        return new DetectorOptions(
                name, model, training, preprocessing, estimators, jlde, sampling, calibrate, heldOut, leftOut);
    }

    public DetectorOptions withModel(ModelOptions newModel) {
        return new DetectorOptions(
                architecture,
                newModel,
                training,
                preprocessing,
                estimators,
                jlde,
                sampling,
                calibrate,
                heldOut,
                leftOut);
    }

    public DetectorOptions withTraining(TrainingOptions newTraining) {
        return new DetectorOptions(
                architecture,
                model,
                newTraining,
                preprocessing,
                estimators,
                jlde,
                sampling,
                calibrate,
                heldOut,
                leftOut);
    }

    public DetectorOptions withSeed(long seed) {
        return withTraining(training.withSeed(seed));
    }

    public DetectorOptions withPreprocessing(Preprocessing newPreprocessing) {
        return new DetectorOptions(
                architecture,
                model,
                training,
                newPreprocessing,
                estimators,
                jlde,
                sampling,
                calibrate,
                heldOut,
                leftOut);
    }

    public DetectorOptions withEstimators(List<String> names) {
        return new DetectorOptions(
                architecture, model, training, preprocessing, names, jlde, sampling, calibrate, heldOut, leftOut);
    }

    public DetectorOptions withJlde(JldeOptions newJlde) {
        return new DetectorOptions(
                architecture,
                model,
                training,
                preprocessing,
                estimators,
                newJlde,
                sampling,
                calibrate,
                heldOut,
                leftOut);
    }

    public DetectorOptions withSampling(SamplingOptions newSampling) {
        return new DetectorOptions(
                architecture,
                model,
                training,
                preprocessing,
                estimators,
                jlde,
                newSampling,
                calibrate,
                heldOut,
                leftOut);
    }

    public DetectorOptions withCalibrate(boolean newCalibrate) {
        return new DetectorOptions(
                architecture,
                model,
                training,
                preprocessing,
                estimators,
                jlde,
                sampling,
                newCalibrate,
                heldOut,
                leftOut);
    }

    public DetectorOptions withHeldOut(double share) {
        return new DetectorOptions(
                architecture, model, training, preprocessing, estimators, jlde, sampling, calibrate, share, leftOut);
    }

    public DetectorOptions withLeftOut(Set<Integer> classes) {
        return new DetectorOptions(
                architecture, model, training, preprocessing, estimators, jlde, sampling, calibrate, heldOut, classes);
    }
}
