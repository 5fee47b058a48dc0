// SPDX-License-Identifier: Apache-2.0
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
 * @param predictions how their predictions turned out, by who predicted: {@link #LOGITS} or an estimator that predicts by itself
 */
public record Calibration(String source, Map<String, double[]> epistemic, Map<String, Outcomes> predictions) {

    /** Who predicts where no estimator does it by itself. */
    public static final String LOGITS = "";

    /** Nobody to compare with. */
    public static final Calibration NONE = new Calibration("no nodes", Map.of(), Map.of());

    /**
     * How predictions for labelled nodes turned out.
     *
     * @param truth the probability that was given to the true label
     * @param aleatoric uncertainty of the prediction
     * @param right whether the predicted label was the true one
     */
    public record Outcomes(double[] truth, double[] aleatoric, boolean[] right) {

        static final Outcomes NONE = new Outcomes(new double[0], new double[0], new boolean[0]);

        /** Refuses arrays of different lengths; they are kept, not copied. */
        public Outcomes {
            if (truth.length != aleatoric.length || truth.length != right.length) {
                throw new IllegalArgumentException("truth, aleatoric and right belong to the same nodes");
            }
        }
    }

    /** Keeps unmodifiable copies of both maps, in their order; the arrays in them are shared. */
    public Calibration {
        epistemic = Collections.unmodifiableMap(new LinkedHashMap<>(epistemic));
        predictions = Collections.unmodifiableMap(new LinkedHashMap<>(predictions));
    }

    /** How many nodes there are to compare with. */
    public int nodes() {
        return epistemic.values().stream()
                .mapToInt(scores -> scores.length)
                .findFirst()
                .orElse(0);
    }

    /** Whether there are no ordinary nodes to compare with, as in {@link #NONE}. */
    public boolean isEmpty() {
        return nodes() == 0;
    }

    /** Whether scores of ordinary nodes are known for the estimator with this label, so that {@link #pValues} works. */
    public boolean knows(String estimator) {
        return epistemic.containsKey(estimator) && !isEmpty();
    }

    /** The same for some of the estimators. */
    public Calibration only(Set<String> estimators) {
        Map<String, double[]> chosen = new LinkedHashMap<>(epistemic);
        chosen.keySet().retainAll(estimators);
        Map<String, Outcomes> outcomes = new LinkedHashMap<>(predictions);
        outcomes.keySet().removeIf(who -> !who.equals(LOGITS) && !estimators.contains(who));
        return new Calibration(source, chosen, outcomes);
    }

    /**
     * Turns scores of the estimator with this label into p-values. Refuses an estimator whose scores of ordinary nodes are not
     * known.
     */
    public PValues pValues(String estimator) {
        double[] scores = epistemic.get(estimator);
        if (scores == null || isEmpty()) {
            throw new BadConfiguration(
                    isEmpty()
                            ? "there are no held-out nodes to compare with: this detector was made without any"
                            : estimator
                                    + " was not fitted with this detector, so there are no scores of held-out nodes to compare"
                                    + " its scores with; there are those of " + String.join(", ", epistemic.keySet()));
        }
        return PValues.calibratedOn(scores);
    }

    /** How many labelled nodes there are to compare somebody's predictions with. */
    public int labelled(String predictor) {
        return predictions.getOrDefault(predictor, Outcomes.NONE).truth.length;
    }

    /**
     * Sets of labels that lack the true one for a share of at most {@code alpha} of ordinary nodes. Refuses a predictor without
     * labelled held-out nodes, and an {@code alpha} that is not between 0 and 1.
     */
    public LabelSets labelSets(String predictor, double alpha) {
        return LabelSets.of(outcomes(predictor).truth, alpha);
    }

    /** How accurate predictions are when the most doubtful ones are not made. */
    public RiskCoverage riskCoverage(String predictor) {
        Outcomes outcomes = outcomes(predictor);
        return RiskCoverage.of(outcomes.aleatoric, outcomes.right);
    }

    private Outcomes outcomes(String predictor) {
        Outcomes outcomes = predictions.getOrDefault(predictor, Outcomes.NONE);
        if (outcomes.truth.length == 0) {
            throw new BadConfiguration(
                    "there are no labelled held-out nodes to compare the predictions of these estimators with");
        }
        return outcomes;
    }
}
