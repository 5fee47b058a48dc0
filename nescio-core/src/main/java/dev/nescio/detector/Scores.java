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
 * @param classes names of the classes that {@code prediction} numbers
 * @param aleatoric how noisy the prediction is, 0 to 1
 * @param byEstimator how far the node lies from anything learned, by the name of the estimator that says so; larger = more
 *     uncertain
 */
public record Scores(
        NodeIds ids,
        List<String> classes,
        Prediction prediction,
        double[] aleatoric,
        Map<String, double[]> byEstimator) {

    public Scores {
        byEstimator = Collections.unmodifiableMap(new LinkedHashMap<>(byEstimator));
    }

    public int nodes() {
        return aleatoric.length;
    }

    /** The epistemic uncertainty of the first estimator. */
    public double[] epistemic() {
        return byEstimator.values().iterator().next();
    }

    /** The name of the predicted class. */
    public String predicted(int node) {
        return classes.get(prediction.label()[node]);
    }
}
