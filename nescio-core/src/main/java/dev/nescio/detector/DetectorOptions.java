// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Preprocessing;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Temperature;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.Sampling;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everything that a user can choose about a detector.
 *
 * <pre>{@code
 * DetectorOptions.defaults()
 *         .withArchitecture("res-gate")
 *         .with(ModelOptions.HIDDEN, 128)
 *         .with(TrainingOptions.EPOCHS, 500)
 *         .withEstimators("jlde:k=10", "ebm");
 * }</pre>
 *
 * @param architecture the kind of network
 * @param estimators the first one is the epistemic uncertainty
 * @param detector choices about the detector itself: {@link #CALIBRATE}, {@link #HELD_OUT}, {@link #DROP_LEFT_OUT}
 * @param leftOut numbers of the classes that training must not see
 */
public record DetectorOptions(
        Architecture architecture,
        ModelOptions model,
        TrainingOptions training,
        Preprocessing preprocessing,
        List<EstimatorSpec> estimators,
        Options detector,
        Set<Integer> leftOut) {

    /** What measures epistemic uncertainty unless somebody chooses otherwise. */
    public static final String STANDARD_ESTIMATOR = "jlde-relative";

    /**
     * Whether a temperature is fitted for the probabilities: {@code auto} (the default), {@code true} or {@code false}. {@code
     * auto} fits one where at least {@link Temperature#ENOUGH} labelled nodes are held out from early stopping. Files that do not
     * mention this option mean {@code false}.
     */
    public static final Option<Temperature.Fitting> CALIBRATE = Option.of(
                    "calibrate",
                    Kind.constant(Temperature.Fitting.class),
                    Temperature.Fitting.FALSE,
                    "Fit a temperature for probabilities and aleatoric uncertainty: true, false, or auto, which does so where at least "
                            + Temperature.ENOUGH + " labelled nodes are held out.")
            .withDefault(Temperature.Fitting.AUTO);
    /**
     * The share of validation nodes that only calibrate, from 0 to below 1; 0.5 by default. With 0, all validation nodes serve
     * both early stopping and calibration.
     */
    public static final Option<Double> HELD_OUT = Option.of(
            "held-out",
            Kind.number("a number of at least 0 and below 1", share -> share >= 0 && share < 1),
            0.5,
            "Share of validation nodes reserved for calibration, not used for early stopping; with 0, all serve both.");
    /**
     * Whether training removes the nodes of left-out classes from the graph; off by default. Otherwise they stay, with their
     * edges, as nodes without a label.
     */
    public static final Option<Boolean> DROP_LEFT_OUT = Option.flag(
            "drop-left-out",
            "Remove the nodes of left-out classes from the graph during training, not just their labels.");

    /** The options of the detector itself, which {@link #with} sets like those of model and training. */
    public static final OptionGroup GROUP = OptionGroup.of("the detector", CALIBRATE, HELD_OUT, DROP_LEFT_OUT);

    /**
     * Refuses an empty list of estimators, one that is named twice, and model options that the architecture lacks. Also refuses
     * passes with dropout where the rate is 0, and different numbers of passes or members.
     */
    public DetectorOptions {
        model = model.in(architecture.options());
        estimators = List.copyOf(estimators);
        leftOut = Set.copyOf(leftOut);
        if (estimators.isEmpty()) {
            throw new BadConfiguration("at least one estimator is needed");
        }
        if (new HashSet<>(estimators).size() < estimators.size()) {
            throw new BadConfiguration("each estimator can be named once, got "
                    + String.join(
                            ", ", estimators.stream().map(EstimatorSpec::text).toList()));
        }
        if (model.dropout() == 0 && !architecture.isBayesian() && anyNeeds(estimators, Need.RANDOM_PASSES)) {
            throw new BadConfiguration("passes with dropout need a dropout rate above 0");
        }
        requireOneValue(estimators, Sampling.PASSES);
        requireOneValue(estimators, Sampling.MEMBERS);
    }

    /** Estimators that sample share their samples. */
    private static void requireOneValue(List<EstimatorSpec> estimators, Option<?> option) {
        if (values(estimators, option).distinct().count() > 1) {
            throw new BadConfiguration("all estimators share the same samples, so there can be only one number of "
                    + option + ", got "
                    + String.join(
                            ", ",
                            values(estimators, option).map(String::valueOf).toList()));
        }
    }

    private static <T> Stream<T> values(List<EstimatorSpec> estimators, Option<T> option) {
        return estimators.stream().filter(spec -> spec.options().has(option)).map(spec -> spec.options()
                .get(option));
    }

    /**
     * The model {@code res-gcn} and the estimator {@value #STANDARD_ESTIMATOR}, on raw features, with seed 0. No class is left
     * out.
     *
     * <pre>{@code
     * DetectorOptions options = DetectorOptions.defaults().withSeed(7).withEstimators("jlde:k=10", "ebm");
     * }</pre>
     */
    public static DetectorOptions defaults() {
        return new DetectorOptions(
                Architectures.named("res-gcn"),
                ModelOptions.defaults(),
                TrainingOptions.defaults(),
                Preprocessing.NONE,
                List.of(Estimators.parse(STANDARD_ESTIMATOR)),
                GROUP.defaults(),
                Set.of());
    }

    /** The share of validation nodes that only calibrate, from 0 to below 1; see {@link #HELD_OUT}. */
    public double heldOut() {
        return detector.get(HELD_OUT);
    }

    /** How many networks must be trained. */
    public int networks() {
        return values(estimators, Sampling.MEMBERS).findFirst().orElse(1);
    }

    /** How many passes with dropout are made. */
    int passes() {
        return values(estimators, Sampling.PASSES).findFirst().orElse(0);
    }

    boolean anyNeeds(Need need) {
        return anyNeeds(estimators, need);
    }

    private static boolean anyNeeds(List<EstimatorSpec> estimators, Need need) {
        return estimators.stream().anyMatch(spec -> spec.needs(need));
    }

    /** What tables call the estimators, in their order. */
    public List<String> labels() {
        return estimators.stream().map(spec -> spec.label(estimators)).toList();
    }

    /** Refuses estimators that could not be fitted to such a network with so many training nodes. */
    void requireEstimators(int trainingNodes) {
        Set<Need> met = EnumSet.allOf(Need.class);
        if (!architecture.isEvidential()) {
            met.remove(Need.CONCENTRATIONS);
        }
        Estimator.Available available =
                new Estimator.Available(architecture.name(), architecture.states(model), trainingNodes, met);
        estimators.forEach(spec -> spec.require(available));
    }

    /** The same with another value of any option of model, training, preprocessing or detector. */
    public <T> DetectorOptions with(Option<T> option, T value) {
        if (model.values().has(option)) {
            return withModel(model.with(option, value));
        }
        if (training.values().has(option)) {
            return withTraining(training.with(option, value));
        }
        if (preprocessing.values().has(option)) {
            return withPreprocessing(preprocessing.with(option, value));
        }
        return new DetectorOptions(
                architecture, model, training, preprocessing, estimators, detector.with(option, value), leftOut);
    }

    /** The same with another kind of network; what only the old one let choose is forgotten. */
    public DetectorOptions withArchitecture(String name) {
        Map<String, String> common = model.values().texts();
        common.keySet().retainAll(ModelOptions.COMMON.names());
        return new DetectorOptions(
                Architectures.named(name),
                new ModelOptions(ModelOptions.COMMON.parse(common)),
                training,
                preprocessing,
                estimators,
                detector,
                leftOut);
    }

    /** The same with another shape of the network; refuses options that the architecture does not have. */
    public DetectorOptions withModel(ModelOptions newModel) {
        return new DetectorOptions(architecture, newModel, training, preprocessing, estimators, detector, leftOut);
    }

    /** The same with other training options, the seed among them. */
    public DetectorOptions withTraining(TrainingOptions newTraining) {
        return new DetectorOptions(architecture, model, newTraining, preprocessing, estimators, detector, leftOut);
    }

    /**
     * The same with another seed for initialisation, dropout and random passes. Which nodes are held out does not depend on it.
     */
    public DetectorOptions withSeed(long seed) {
        return withTraining(training.withSeed(seed));
    }

    /** The same with another treatment of raw features, which then applies to training and to every scoring. */
    public DetectorOptions withPreprocessing(Preprocessing newPreprocessing) {
        return new DetectorOptions(architecture, model, training, newPreprocessing, estimators, detector, leftOut);
    }

    /** By their texts: {@code jlde:k=10}. */
    public DetectorOptions withEstimators(String... texts) {
        return withEstimators(Stream.of(texts).map(Estimators::parse).toList());
    }

    /**
     * The same with other estimators, the first of which is the epistemic uncertainty. Refuses an empty list and repeated
     * estimators.
     */
    public DetectorOptions withEstimators(List<EstimatorSpec> newEstimators) {
        return new DetectorOptions(architecture, model, training, preprocessing, newEstimators, detector, leftOut);
    }

    /**
     * The same with other classes hidden from training, by their numbers in the graph; empty for none. Training refuses numbers
     * that the graph does not have, and fewer than two remaining classes.
     */
    public DetectorOptions withLeftOut(Set<Integer> classes) {
        return new DetectorOptions(architecture, model, training, preprocessing, estimators, detector, classes);
    }
}
