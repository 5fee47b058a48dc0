package dev.nescio.detector;

import dev.nescio.graph.NodeIds;
import dev.nescio.uncertainty.Prediction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Nescio says about every node.
 *
 * @param classes names of the classes that predictions number
 * @param byEstimator what each estimator says, by its name; the first one speaks for Nescio
 */
public record Scores(NodeIds ids, List<String> classes, Map<String, Opinion> byEstimator) {

    /**
     * What one estimator says about every node.
     *
     * @param prediction of the network, or the estimator's own
     * @param epistemic how far the node lies from anything learned; larger = more uncertain
     */
    public record Opinion(Prediction prediction, double[] epistemic) {}

    public Scores {
        byEstimator = Collections.unmodifiableMap(new LinkedHashMap<>(byEstimator));
    }

    private Opinion first() {
        return byEstimator.values().iterator().next();
    }

    public int nodes() {
        return first().epistemic.length;
    }

    public Prediction prediction() {
        return first().prediction;
    }

    /** How noisy the prediction is, 0 to 1. */
    public double[] aleatoric() {
        return prediction().aleatoric();
    }

    public double aleatoric(int node) {
        return 1 - prediction().probability()[node];
    }

    public double[] epistemic() {
        return first().epistemic;
    }

    /** The name of the predicted class. */
    public String predicted(int node) {
        return classes.get(prediction().label()[node]);
    }
}
