// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.Need;
import java.util.List;
import java.util.Set;

/**
 * Estimators for hidden states of a network that was trained elsewhere: takes the states of nodes, gives a score per node.
 *
 * @param widths columns of each state
 * @param logits columns of the logits, 0 where there are none
 * @param nodes that it was made from
 * @param source where the states came from, for people
 * @param fingerprint of the states that it was made from: rows without ids can only be told by it; empty where it is not known
 */
public record EmbeddingDetector(
        FittedEstimators estimators,
        List<Integer> widths,
        int logits,
        KnownNodes nodes,
        String source,
        String fingerprint) {

    /** Keeps an unmodifiable copy of the widths. Meant for reading from files; {@link #fit} makes new detectors. */
    public EmbeddingDetector {
        widths = List.copyOf(widths);
    }

    /**
     * What to learn from.
     *
     * @param evidence states of all nodes, and logits and graph where there are any; its training nodes teach
     * @param heldOut nodes that tell what is ordinary; may be empty
     * @param labels of all nodes, {@link dev.nescio.graph.Graph#UNLABELLED} where not known
     */
    public record Data(Evidence evidence, NodeSet heldOut, int[] labels, NodeIds ids, String source) {}

    /**
     * Fits estimators to the states of the training nodes and calibrates them on the held-out ones, where there are any. Refuses
     * estimators that need what the data lack, and a node that is both training and held out. {@code classes} names the columns
     * of the logits; empty where there are none.
     *
     * <pre>{@code
     * Evidence evidence = Evidence.of(List.of(states), training);
     * NodeIds ids = NodeIds.numbered(evidence.nodes());
     * EmbeddingDetector.Data data = new EmbeddingDetector.Data(evidence, heldOut, labels, ids, "my network");
     * EmbeddingDetector detector = EmbeddingDetector.fit(data, List.of(Estimators.parse("jlde")), List.of());
     * }</pre>
     */
    public static EmbeddingDetector fit(Data data, List<EstimatorSpec> specs, List<String> classes) {
        Evidence evidence = data.evidence;
        Estimator.Available available = new Estimator.Available(
                data.source,
                evidence.states().size(),
                evidence.training().size(),
                evidence.graph() == null ? Set.of() : Set.of(Need.EDGES));
        specs.forEach(spec -> spec.require(available));
        if (data.heldOut.intersects(evidence.training())) {
            throw new BadInput("a node is among both the training and the held-out nodes");
        }
        FittedEstimators fitted = FittedEstimators.fit(evidence, specs, classes, 1);
        FittedEstimators estimators = data.heldOut.isEmpty()
                ? fitted
                : fitted.calibratedOn(
                        fitted.score(evidence, data.ids, Progress.NONE).of(data.heldOut),
                        data.heldOut.stream().map(v -> data.labels[v]).toArray(),
                        "held-out nodes of " + data.source);
        return new EmbeddingDetector(
                estimators,
                evidence.states().stream().map(DenseMatrix::columns).toList(),
                evidence.logits() == null ? 0 : evidence.logits().columns(),
                new KnownNodes(
                        names(data.ids, evidence.training()),
                        List.of(),
                        names(data.ids, data.heldOut),
                        names(
                                data.ids,
                                NodeSet.where(
                                        evidence.nodes(),
                                        v -> !evidence.training().contains(v) && !data.heldOut.contains(v)))),
                data.source,
                Fingerprint.of(evidence.states()));
    }

    private static List<String> names(NodeIds ids, NodeSet nodes) {
        return nodes.stream().mapToObj(ids::name).toList();
    }

    /** The same with these estimators alone. */
    public EmbeddingDetector withEstimators(List<String> texts) {
        return new EmbeddingDetector(estimators.only(texts), widths, logits, nodes, source, fingerprint);
    }

    /**
     * Scores every row of the evidence; nothing is fitted again. Refuses states or logits whose number or width is not that of
     * the fit. Where ids are mere numbers, nodes count as known only in the very same states.
     */
    public Scores score(Evidence evidence, NodeIds ids, Progress progress) {
        if (evidence.states().size() != widths.size()) {
            throw new BadInput("there are " + evidence.states().size() + " states, but the detector was fitted on "
                    + widths.size());
        }
        for (int i = 0; i < widths.size(); i++) {
            int columns = evidence.states().get(i).columns();
            if (columns != widths.get(i)) {
                throw new BadInput(
                        "state " + i + " has " + columns + " columns, but the detector was fitted on " + widths.get(i));
            }
        }
        int columns = evidence.logits() == null ? 0 : evidence.logits().columns();
        if (columns != logits) {
            throw new BadInput("the logits have " + columns + " columns, but the detector was fitted on " + logits);
        }
        return knows(evidence, ids)
                ? estimators
                        .score(evidence.placed(nodes.trainingPlaces(ids, NodeSet.all(evidence.nodes()))), ids, progress)
                        .withRoles(nodes.roles(ids))
                : estimators.score(evidence, ids, progress);
    }

    /** Whether nodes with the same ids are the same: where ids are numbers, only in the very same states. */
    private boolean knows(Evidence evidence, NodeIds ids) {
        return !(ids instanceof NodeIds.Numbered) || fingerprint.equals(Fingerprint.of(evidence.states()));
    }

    /** Why the first estimator that can tell gives a node its score. */
    public Explanation explain(Evidence evidence, NodeIds ids, int node) {
        int[] places = knows(evidence, ids) ? nodes.trainingPlaces(ids, NodeSet.all(evidence.nodes())) : new int[0];
        return estimators.explain(evidence.placed(places), node);
    }
}
