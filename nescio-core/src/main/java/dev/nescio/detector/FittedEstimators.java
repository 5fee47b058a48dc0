// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Fitted estimators for the hidden states of one network, wherever it was trained, with what they say of ordinary nodes.
 *
 * @param classes names of the classes that the logits number; may be empty where there are no logits
 * @param temperature that logits are divided by for probabilities; 1 where none was fitted
 * @param byLabel what tables call each of them; the first one speaks for all
 * @param calibration what is ordinary
 */
public record FittedEstimators(
        List<String> classes, double temperature, Map<String, Entry> byLabel, Calibration calibration) {

    /** An estimator with its options, and what it has learned. */
    public record Entry(EstimatorSpec spec, FittedEstimator fitted) {}

    /** Refuses an empty map of estimators and a temperature that is not above 0; list and map are copied. */
    public FittedEstimators {
        classes = List.copyOf(classes);
        byLabel = Collections.unmodifiableMap(new LinkedHashMap<>(byLabel));
        if (byLabel.isEmpty()) {
            throw new BadConfiguration("at least one estimator is needed");
        }
        if (!(temperature > 0)) {
            throw new BadInput("the temperature must be positive, got " + temperature);
        }
    }

    /**
     * Fits every estimator to the same evidence, without calibration. Logits are later divided by {@code temperature}, 1 for
     * none.
     */
    public static FittedEstimators fit(
            Evidence evidence, List<EstimatorSpec> specs, List<String> classes, double temperature) {
        return of(
                specs.stream().map(spec -> new Entry(spec, spec.fit(evidence))).toList(),
                classes,
                temperature,
                Calibration.NONE);
    }

    /**
     * Puts estimators that are fitted already under their labels, in this order. A label is the estimator's name, or its whole
     * text where two have one name.
     */
    public static FittedEstimators of(
            List<Entry> entries, List<String> classes, double temperature, Calibration calibration) {
        List<EstimatorSpec> specs = entries.stream().map(Entry::spec).toList();
        Map<String, Entry> byLabel = new LinkedHashMap<>();
        entries.forEach(entry -> byLabel.put(entry.spec.label(specs), entry));
        return new FittedEstimators(classes, temperature, byLabel, calibration);
    }

    /** The estimators with their options, in the order of their labels; the first one speaks for all. */
    public List<EstimatorSpec> specs() {
        return byLabel.values().stream().map(Entry::spec).toList();
    }

    /** What a user should know about the fits, where there is anything. */
    public List<String> remarks() {
        return byLabel.values().stream()
                .map(entry -> entry.fitted.remark())
                .filter(remark -> !remark.isEmpty())
                .toList();
    }

    /**
     * The same with some estimators alone, in this order, by their labels or texts. Those that learn nothing need not have been
     * fitted.
     */
    public FittedEstimators only(List<String> texts) {
        List<Entry> chosen = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (String text : texts) {
            String label =
                    byLabel.containsKey(text) ? text : Estimators.parse(text).text();
            Entry known = byLabel.get(label);
            chosen.add(known == null ? unfitted(text) : known);
            labels.add(label);
        }
        FittedEstimators some = of(chosen, classes, temperature, Calibration.NONE);
        return new FittedEstimators(
                classes, temperature, relabelled(some.byLabel, labels), calibration.only(Set.copyOf(labels)));
    }

    /** Estimators keep the labels under which their scores of ordinary nodes are known. */
    private static Map<String, Entry> relabelled(Map<String, Entry> entries, List<String> labels) {
        Map<String, Entry> relabelled = new LinkedHashMap<>();
        int i = 0;
        for (Entry entry : entries.values()) {
            relabelled.put(labels.get(i++), entry);
        }
        return relabelled;
    }

    private Entry unfitted(String text) {
        EstimatorSpec spec = Estimators.parse(text);
        if (!spec.estimator().learnsNothing()) {
            throw new BadConfiguration("estimator '" + text + "' was not fitted when this detector was trained; it has "
                    + String.join(", ", byLabel.keySet()));
        }
        return new Entry(spec, spec.load(Map.of()));
    }

    /** Scores every node of the evidence; nothing is fitted again. */
    public Scores score(Evidence evidence, NodeIds ids, Progress progress) {
        Prediction prediction = evidence.logits() == null ? null : Prediction.of(evidence.logits(), temperature);
        Map<String, Scores.Opinion> opinions = new LinkedHashMap<>();
        byLabel.forEach((label, entry) -> {
            boolean isOwn = entry.spec.estimator().predictsItself();
            @Nullable Prediction own = isOwn ? entry.fitted.prediction(evidence) : prediction;
            opinions.put(
                    label,
                    new Scores.Opinion(
                            isOwn ? label : Calibration.LOGITS,
                            own,
                            numbers(label, entry.fitted.score(evidence, progress), ids)));
        });
        return new Scores(ids, classes, opinions, calibration, List.of());
    }

    /** A score that is not a number would pass for an ordinary one. States are finite: infinity is an overflow, too. */
    private static double[] numbers(String label, double[] scores, NodeIds ids) {
        for (int i = 0; i < scores.length; i++) {
            if (!Double.isFinite(scores[i])) {
                throw new BadInput(
                        "node '" + ids.name(i) + "': its features or states are so large that " + label + " overflows");
            }
        }
        return scores;
    }

    /**
     * Remembers the scores of ordinary nodes.
     *
     * @param heldOut of nodes that nothing was learned from
     * @param labels of the same nodes; {@link Graph#UNLABELLED} ones count for their scores only
     */
    public FittedEstimators calibratedOn(Scores heldOut, int[] labels, String source) {
        Map<String, double[]> epistemic = new LinkedHashMap<>();
        Map<String, Calibration.Outcomes> outcomes = new LinkedHashMap<>();
        heldOut.byEstimator().forEach((label, opinion) -> {
            epistemic.put(label, opinion.epistemic());
            Prediction prediction = opinion.prediction();
            if (prediction != null) {
                outcomes.computeIfAbsent(opinion.predictor(), who -> outcomes(prediction, labels));
            }
        });
        return new FittedEstimators(classes, temperature, byLabel, new Calibration(source, epistemic, outcomes));
    }

    private Calibration.Outcomes outcomes(Prediction prediction, int[] labels) {
        int[] known =
                IntStream.range(0, labels.length).filter(i -> labels[i] >= 0).toArray();
        double[] truth = new double[known.length];
        double[] aleatoric = new double[known.length];
        boolean[] right = new boolean[known.length];
        for (int i = 0; i < known.length; i++) {
            truth[i] = prediction.distribution()[known[i] * classes.size() + labels[known[i]]];
            aleatoric[i] = 1 - prediction.probability()[known[i]];
            right[i] = prediction.label()[known[i]] == labels[known[i]];
        }
        return new Calibration.Outcomes(truth, aleatoric, right);
    }

    /** The first estimator that can say why. */
    String explaining() {
        return byLabel.entrySet().stream()
                .filter(entry -> isExplainable(entry.getValue().fitted))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(this::nobodyExplains);
    }

    private BadConfiguration nobodyExplains() {
        return new BadConfiguration(
                "none of the estimators " + String.join(", ", byLabel.keySet()) + " can explain; jlde can");
    }

    private static boolean isExplainable(FittedEstimator fitted) {
        return fitted instanceof Explainable explainable && explainable.isExplainable();
    }

    /** Why that estimator gives a node its score. */
    public Explanation explain(Evidence evidence, int node) {
        return byLabel.values().stream()
                .map(Entry::fitted)
                .filter(FittedEstimators::isExplainable)
                .map(Explainable.class::cast)
                .findFirst()
                .orElseThrow(this::nobodyExplains)
                .explain(evidence, node);
    }
}
