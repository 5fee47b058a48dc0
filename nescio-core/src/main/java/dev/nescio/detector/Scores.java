package dev.nescio.detector;

import dev.nescio.graph.NodeIds;
import dev.nescio.uncertainty.Prediction;
import java.util.List;

/**
 * What Nescio says about every node.
 *
 * @param classes names of the classes that {@code prediction} numbers
 * @param aleatoric how noisy the prediction is, 0 to 1
 * @param epistemic how far the node lies from anything learned, 0 or more; larger = more uncertain
 */
public record Scores(NodeIds ids, List<String> classes, Prediction prediction, double[] aleatoric, double[] epistemic) {

    public int nodes() {
        return epistemic.length;
    }

    /** The name of the predicted class. */
    public String predicted(int node) {
        return classes.get(prediction.label()[node]);
    }
}
