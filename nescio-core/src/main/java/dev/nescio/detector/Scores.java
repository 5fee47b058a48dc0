// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.uncertainty.Prediction;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What Nescio says about every node.
 *
 * @param classes names of the classes that predictions number
 * @param byEstimator what each estimator says, by its name; the first one speaks for Nescio
 * @param calibration what the same estimators say of ordinary nodes
 * @param roles what each node was when the detector was made; empty where that is not known
 */
public record Scores(
        NodeIds ids,
        List<String> classes,
        Map<String, Opinion> byEstimator,
        Calibration calibration,
        List<Role> roles) {

    /**
     * What one estimator says about every node.
     *
     * @param predictor {@link Calibration#LOGITS}, or the label of the estimator where it predicts by itself
     * @param prediction of the network, or the estimator's own; null where there are no logits
     * @param epistemic how far the node lies from anything learned; larger = more uncertain
     */
    public record Opinion(String predictor, @Nullable Prediction prediction, double[] epistemic) {

        /** The prediction, which must be there. */
        public Prediction requirePrediction() {
            if (prediction == null) {
                throw new BadConfiguration("there are no predictions: no logits were given");
            }
            return prediction;
        }
    }

    /**
     * Keeps unmodifiable copies of the map and of the roles. {@link Detector#score} makes scores:
     *
     * <pre>{@code
     * Scores scores = detector.score(graph);
     * double[] epistemic = scores.epistemic();
     * double[] pValues = scores.pValues();
     * System.out.println(scores.ids().name(0) + ": " + scores.predicted(0) + ", p-value " + pValues[0]);
     * }</pre>
     */
    public Scores {
        byEstimator = Collections.unmodifiableMap(new LinkedHashMap<>(byEstimator));
        roles = List.copyOf(roles);
    }

    Scores withRoles(List<Role> newRoles) {
        return new Scores(ids, classes, byEstimator, calibration, newRoles);
    }

    /** Whether the detector learned from a node. */
    public boolean isTraining(int node) {
        return !roles.isEmpty() && roles.get(node) == Role.TRAINING;
    }

    private Opinion first() {
        return byEstimator.values().iterator().next();
    }

    /** The number of nodes that were scored, which is the length of every array of scores. */
    public int nodes() {
        return first().epistemic.length;
    }

    /** Whether classes are predicted; false for hidden states of another network that came without logits. */
    public boolean hasPredictions() {
        return first().prediction != null;
    }

    /** The predictions that belong to the first estimator: the network's, or its own; refuses where there are none. */
    public Prediction prediction() {
        return first().requirePrediction();
    }

    /** Who made the predictions. */
    String predictor() {
        return first().predictor;
    }

    /** The estimator that speaks for Nescio. */
    public String estimator() {
        return byEstimator.keySet().iterator().next();
    }

    /** How large a share of ordinary nodes is at least as uncertain, for every node; NaN for training nodes. */
    public double[] pValues() {
        double[] pValues = calibration.pValues(estimator()).ofAll(epistemic());
        Arrays.setAll(pValues, node -> isTraining(node) ? Double.NaN : pValues[node]);
        return pValues;
    }

    /**
     * Nodes that are more uncertain than ordinary ones: of those, a share of about {@code alpha} is flagged too. Training nodes
     * are never among them.
     */
    public NodeSet flagged(double alpha) {
        double threshold = calibration.pValues(estimator()).threshold(alpha);
        double[] epistemic = epistemic();
        return NodeSet.where(nodes(), node -> !isTraining(node) && epistemic[node] > threshold);
    }

    /** The scores of several blocks of nodes, one after the other, which are called by their places from then on. */
    static Scores joined(List<Scores> parts) {
        Scores first = parts.get(0);
        Map<String, Opinion> joined = new LinkedHashMap<>();
        first.byEstimator.forEach((name, opinion) -> {
            List<Opinion> all = parts.stream()
                    .map(part -> Objects.requireNonNull(part.byEstimator.get(name)))
                    .toList();
            joined.put(
                    name,
                    new Opinion(
                            opinion.predictor,
                            opinion.prediction == null
                                    ? null
                                    : Prediction.joined(all.stream()
                                            .map(Opinion::requirePrediction)
                                            .toList()),
                            all.stream()
                                    .flatMapToDouble(one -> Arrays.stream(one.epistemic))
                                    .toArray()));
        });
        return new Scores(
                NodeIds.numbered(parts.stream().mapToInt(Scores::nodes).sum()),
                first.classes,
                joined,
                first.calibration,
                parts.stream().flatMap(part -> part.roles.stream()).toList());
    }

    /** The scores of some nodes, ascending. */
    public Scores of(NodeSet some) {
        int[] nodes = some.toArray();
        Map<String, Opinion> chosen = new LinkedHashMap<>();
        byEstimator.forEach((name, opinion) -> chosen.put(
                name,
                new Opinion(
                        opinion.predictor,
                        opinion.prediction == null ? null : opinion.prediction.of(nodes),
                        some.stream().mapToDouble(v -> opinion.epistemic[v]).toArray())));
        return new Scores(
                NodeIds.named(some.stream().mapToObj(ids::name).toList()),
                classes,
                chosen,
                calibration,
                roles.isEmpty() ? List.of() : some.stream().mapToObj(roles::get).toList());
    }

    /**
     * Everything about every node, one after the other.
     *
     * <pre>{@code
     * Scores scores = detector.score(graph);
     * scores.results(Decisions.of(scores, Decisions.Wishes.NONE.withAlpha(0.05)))
     *         .filter(node -> Boolean.TRUE.equals(node.flagged()))
     *         .forEach(node -> System.out.println(node.id() + " " + node.pValue()));
     * }</pre>
     */
    public Stream<NodeResult> results(Decisions decisions) {
        return IntStream.range(0, nodes()).mapToObj(node -> NodeResult.of(this, decisions, node));
    }

    /** Everything about one node, by its id; refuses an id that was not scored. */
    public NodeResult result(String id) {
        int node = ids.find(id).orElseThrow(() -> new BadInput("there is no node '" + id + "' among those scored"));
        return NodeResult.of(this, Decisions.of(this, Decisions.Wishes.NONE), node);
    }

    /** How noisy the prediction is, 0 to 1. */
    public double[] aleatoric() {
        return prediction().aleatoric();
    }

    /** How noisy the prediction of one node is, 0 to 1; {@code node} is its place among the scored ones. */
    public double aleatoric(int node) {
        return 1 - prediction().probability()[node];
    }

    /**
     * How far each node lies from anything learned, by the first estimator; larger means more uncertain. The unit depends on the
     * estimator, so compare nodes of other graphs by {@link #pValues}. The array itself, not a copy.
     */
    public double[] epistemic() {
        return first().epistemic;
    }

    /** The name of the predicted class. */
    public String predicted(int node) {
        return classes.get(prediction().label()[node]);
    }
}
