// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.decision.Calibration;
import dev.nescio.decision.LabelSets;
import dev.nescio.decision.PValues;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A detector and what is asked of it for every node, found once. */
public final class Loaded {

    private final String name;
    private final Detector detector;
    private final String at;
    private final int version;
    private final int rounds;
    private final @Nullable PValues ordinary;
    private final boolean hasLabels;

    Loaded(String name, Detector detector, String at, int version) {
        this.name = name;
        this.detector = detector;
        this.at = at;
        this.version = version;
        this.rounds = detector.model().rounds();
        Calibration calibration = detector.calibration();
        String first = detector.options().labels().get(0);
        this.ordinary = calibration.knows(first) ? calibration.pValues(first) : null;
        this.hasLabels = calibration.labelled(predictor()) > 0;
    }

    private String predictor() {
        boolean isOwn = detector.options().estimators().get(0).estimator().predictsItself();
        return isOwn ? detector.options().labels().get(0) : Calibration.LOGITS;
    }

    /** What is told about it. */
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", name);
        facts.put("model", detector.options().architecture().name());
        facts.put("estimator", estimator());
        facts.put("loadedAt", at);
        facts.put("version", version);
        return facts;
    }

    /** What people call it. */
    public String name() {
        return name;
    }

    /** The detector itself. */
    public Detector detector() {
        return detector;
    }

    /** When it was loaded. */
    public String at() {
        return at;
    }

    /** 1 for the first one, then one more for each that took its place. */
    public int version() {
        return version;
    }

    /** How far messages travel. */
    int rounds() {
        return rounds;
    }

    /** The names of the classes that it knows. */
    public List<String> classes() {
        return detector.classes();
    }

    /** The estimator that speaks. */
    public String estimator() {
        return detector.options().labels().get(0);
    }

    /** What it knows of ordinary nodes; null where none were held out. */
    public @Nullable PValues ordinary() {
        return ordinary;
    }

    /** Scores above this are flagged; infinite where nothing can be. */
    double threshold(double alpha) {
        return ordinary == null ? Double.POSITIVE_INFINITY : ordinary.threshold(alpha);
    }

    /** Labels that lack the true one for a share of at most {@code alpha} of the nodes; null where nobody can tell. */
    @Nullable
    LabelSets labelSets(double alpha) {
        return hasLabels ? detector.calibration().labelSets(predictor(), alpha) : null;
    }

    /** Refuses a graph whose features are not those that it was trained on. */
    void requireFits(Graph graph) {
        int wanted = detector.model().shape().features();
        if (graph.features().columns() != wanted) {
            throw new Refused(
                    422,
                    "the detector was trained on " + wanted + " features per node, but the graph has "
                            + graph.features().columns());
        }
    }

    /** Scores of ordinary nodes, ascending; empty where none are known. */
    public double[] ordinaryScores() {
        double[] scores = ordinary == null ? new double[0] : ordinary.calibration();
        Arrays.sort(scores);
        return scores;
    }
}
