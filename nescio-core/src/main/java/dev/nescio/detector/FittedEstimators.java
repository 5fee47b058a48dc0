package dev.nescio.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.JldeOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Fitted estimators for the hidden states of one network, wherever it was trained, with what they say of ordinary nodes.
 *
 * @param classes names of the classes that the logits number; may be empty where there are no logits
 * @param temperature that logits are divided by for probabilities; 1 where none was fitted
 * @param estimators by name, the first one speaks for all
 * @param calibration what is ordinary
 */
public record FittedEstimators(
        JldeOptions jlde,
        List<String> classes,
        double temperature,
        Map<String, FittedEstimator> estimators,
        Calibration calibration) {

    public FittedEstimators {
        classes = List.copyOf(classes);
        estimators = Collections.unmodifiableMap(new LinkedHashMap<>(estimators));
        if (estimators.isEmpty()) {
            throw new BadConfiguration("at least one estimator is needed");
        }
        if (!(temperature > 0)) {
            throw new BadInput("the temperature must be positive, got " + temperature);
        }
    }

    public static FittedEstimators fit(
            Evidence evidence, List<String> names, JldeOptions jlde, List<String> classes, double temperature) {
        Map<String, FittedEstimator> fitted = new LinkedHashMap<>();
        for (String name : names) {
            fitted.put(name, Estimators.make(name, jlde).fit(evidence));
        }
        return new FittedEstimators(jlde, classes, temperature, fitted, Calibration.NONE);
    }

    /** The same with these estimators alone, in this order. Those that learn nothing need not have been fitted. */
    public FittedEstimators withEstimators(List<String> names) {
        Map<String, FittedEstimator> chosen = new LinkedHashMap<>();
        for (String name : names) {
            FittedEstimator fitted = estimators.get(name);
            if (fitted == null && !Estimators.learnsNothing(name)) {
                throw new BadConfiguration("estimator '" + name
                        + "' was not fitted when this detector was trained; it has "
                        + String.join(", ", estimators.keySet()));
            }
            chosen.put(name, fitted == null ? Estimators.load(name, jlde, Map.of()) : fitted);
        }
        String before = estimators.keySet().iterator().next();
        String now = names.get(0);
        boolean samePredictions =
                now.equals(before) || !(Estimators.predictsItself(now) || Estimators.predictsItself(before));
        Calibration known = calibration.only(chosen.keySet());
        return new FittedEstimators(
                jlde, classes, temperature, chosen, samePredictions ? known : known.withoutPredictions());
    }

    /** Scores every node of the evidence; nothing is fitted again. */
    public Scores score(Evidence evidence, NodeIds ids, Progress progress) {
        Prediction prediction = evidence.logits() == null ? null : Prediction.of(evidence.logits(), temperature);
        Map<String, Scores.Opinion> opinions = new LinkedHashMap<>();
        estimators.forEach((name, fitted) -> {
            @Nullable Prediction own = fitted.prediction(evidence);
            opinions.put(name, new Scores.Opinion(own == null ? prediction : own, fitted.score(evidence, progress)));
        });
        return new Scores(ids, classes, opinions, calibration);
    }

    /**
     * Remembers the scores of ordinary nodes.
     *
     * @param heldOut of nodes that nothing was learned from
     * @param labels of the same nodes; {@link Graph#UNLABELLED} ones count for their scores only
     */
    public FittedEstimators calibratedOn(Scores heldOut, int[] labels, String source) {
        Map<String, double[]> epistemic = new LinkedHashMap<>();
        heldOut.byEstimator().forEach((name, opinion) -> epistemic.put(name, opinion.epistemic()));
        int[] known = heldOut.hasPredictions()
                ? IntStream.range(0, labels.length).filter(i -> labels[i] >= 0).toArray()
                : new int[0];
        double[] truth = new double[known.length];
        double[] aleatoric = new double[known.length];
        boolean[] right = new boolean[known.length];
        for (int i = 0; i < known.length; i++) {
            Prediction prediction = heldOut.prediction();
            truth[i] = prediction.distribution()[known[i] * classes.size() + labels[known[i]]];
            aleatoric[i] = heldOut.aleatoric(known[i]);
            right[i] = prediction.label()[known[i]] == labels[known[i]];
        }
        return new FittedEstimators(
                jlde, classes, temperature, estimators, new Calibration(source, epistemic, truth, aleatoric, right));
    }

    /** The first estimator that can say why. */
    String explaining() {
        return estimators.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Explainable)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new BadConfiguration(
                        "none of the estimators " + String.join(", ", estimators.keySet()) + " can say why; jlde can"));
    }

    /** Why that estimator gives a node its score. */
    public Explanation explain(Evidence evidence, int node) {
        return ((Explainable) estimators.get(explaining())).explain(evidence, node);
    }
}
