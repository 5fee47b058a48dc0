package dev.nescio.decision;

import dev.nescio.problem.BadConfiguration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a detector says about ordinary nodes that it has not learned from, kept to compare others with.
 *
 * @param source which nodes they are, for people
 * @param epistemic their scores, by estimator
 * @param truth the probability that was given to their true labels; empty where there are no predictions
 * @param aleatoric of the same nodes
 * @param right whether the predicted label was the true one
 */
public record Calibration(
        String source, Map<String, double[]> epistemic, double[] truth, double[] aleatoric, boolean[] right) {

    /** Nobody to compare with. */
    public static final Calibration NONE =
            new Calibration("no nodes", Map.of(), new double[0], new double[0], new boolean[0]);

    public Calibration {
        epistemic = Collections.unmodifiableMap(new LinkedHashMap<>(epistemic));
        if (truth.length != aleatoric.length || truth.length != right.length) {
            throw new IllegalArgumentException("truth, aleatoric and right belong to the same nodes");
        }
    }

    /** How many nodes there are to compare with. */
    public int nodes() {
        return epistemic.values().stream()
                .mapToInt(scores -> scores.length)
                .findFirst()
                .orElse(0);
    }

    public boolean isEmpty() {
        return nodes() == 0;
    }

    public boolean knows(String estimator) {
        return epistemic.containsKey(estimator) && !isEmpty();
    }

    /** The same without what was predicted: for estimators that predict otherwise. */
    public Calibration withoutPredictions() {
        return new Calibration(source, epistemic, new double[0], new double[0], new boolean[0]);
    }

    /** The same for some of the estimators. */
    public Calibration only(Set<String> estimators) {
        Map<String, double[]> chosen = new LinkedHashMap<>(epistemic);
        chosen.keySet().retainAll(estimators);
        return new Calibration(source, chosen, truth, aleatoric, right);
    }

    public PValues pValues(String estimator) {
        if (!knows(estimator)) {
            throw new BadConfiguration(
                    isEmpty()
                            ? "there are no held-out nodes to compare with: this detector was made without any"
                            : estimator
                                    + " was not fitted with this detector, so there are no scores of held-out nodes to compare"
                                    + " its scores with; there are those of " + String.join(", ", epistemic.keySet()));
        }
        return PValues.calibratedOn(epistemic.get(estimator));
    }

    public LabelSets labelSets(double alpha) {
        requirePredictions();
        return LabelSets.of(truth, alpha);
    }

    /** How accurate predictions are when the most doubtful ones are not made. */
    public RiskCoverage riskCoverage() {
        requirePredictions();
        return RiskCoverage.of(aleatoric, right);
    }

    private void requirePredictions() {
        if (truth.length == 0) {
            throw new BadConfiguration(
                    "there are no labelled held-out nodes to compare the predictions of these estimators with");
        }
    }
}
