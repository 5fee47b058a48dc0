// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.Forward;
import dev.nescio.model.block.BlockPass;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Scores the nodes of a graph that need not fit into memory, block by block; every node gets what it gets on the whole graph. */
public final class BlockScoring {

    private final Detector detector;
    private final BlockGraph graph;
    private final KnownNodes known;

    private BlockScoring(Detector detector, BlockGraph graph) {
        this.detector = detector;
        this.graph = graph;
        boolean isAnother =
                graph.isNumbered() && graph.nodes() < detector.provenance().nodes();
        this.known = isAnother ? KnownNodes.NONE : detector.nodes();
    }

    /**
     * Scores all nodes and tells the blocks in the order of the nodes. Refuses estimators that look beyond a forward pass: at edges, at
     * several networks, or at random passes.
     *
     * @param blocks is told every block when it is scored
     */
    public static void score(
            Detector detector,
            BlockGraph graph,
            BlockPass.Options options,
            Consumer<Scores> blocks,
            Progress progress) {
        require(detector.options());
        BlockScoring scoring = new BlockScoring(detector, graph);
        BlockPass.run(
                detector.model(),
                graph,
                features -> detector.options().preprocessing().apply(features),
                options,
                (from, forward) -> blocks.accept(scoring.scores(from, forward)),
                progress);
    }

    /** Scores all nodes and keeps what some of them got, ascending; they are called by their places among these. */
    public static Scores score(
            Detector detector, BlockGraph graph, NodeSet some, BlockPass.Options options, Progress progress) {
        List<Scores> kept = new ArrayList<>();
        int[] begin = {0};
        score(
                detector,
                graph,
                options,
                scores -> {
                    int from = begin[0];
                    NodeSet here = NodeSet.where(scores.nodes(), i -> some.contains(from + i));
                    if (!here.isEmpty() || kept.isEmpty()) {
                        kept.add(scores.of(here));
                    }
                    begin[0] += scores.nodes();
                },
                progress);
        return Scores.joined(kept);
    }

    /** Refuses estimators that cannot be computed block by block. */
    public static void require(DetectorOptions options) {
        for (EstimatorSpec spec : options.estimators()) {
            for (Need need : Need.values()) {
                if (need != Need.CONCENTRATIONS && spec.needs(need)) {
                    throw new BadConfiguration(
                            spec.name() + " needs " + need.text()
                                    + " and cannot be computed block by block; --estimator chooses others, --memory leaves it out");
                }
            }
        }
    }

    private Scores scores(int from, Forward forward) {
        return scores(
                detector,
                known,
                NodeIds.named(graph.ids(from, forward.nodes())),
                forward,
                () -> graph.features(from, forward.nodes()));
    }

    /**
     * The scores of some nodes that a pass has been made for, wherever that was.
     *
     * @param known nodes that the detector was made from, where these may be among them
     * @param features raw ones of the same nodes; asked for only where an estimator looks at them
     */
    public static Scores scores(
            Detector detector, KnownNodes known, NodeIds ids, Forward forward, Supplier<Matrix> features) {
        Evidence evidence = evidence(detector, known, ids, forward, features);
        return detector.estimators().score(evidence, ids, Progress.NONE).withRoles(known.roles(ids));
    }

    /** What estimators look at to give these scores. */
    public static Evidence evidence(
            Detector detector, KnownNodes known, NodeIds ids, Forward forward, Supplier<Matrix> features) {
        Graph.Builder alone =
                Graph.builder("block", Adjacency.empty(forward.nodes())).ids(ids);
        if (detector.options().estimators().stream().anyMatch(spec -> spec.isOn("features"))) {
            alone.features(detector.options().preprocessing().apply(features.get()));
        }
        return Evidence.of(forward, alone.build(), NodeSet.of())
                .placed(known.trainingPlaces(ids, NodeSet.all(ids.size())));
    }
}
