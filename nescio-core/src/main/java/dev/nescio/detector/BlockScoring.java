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
import java.util.function.Consumer;

/** Scores the nodes of a graph that need not fit into memory, block by block; every node gets what it gets on the whole graph. */
public final class BlockScoring {

    private final Detector detector;
    private final BlockGraph graph;
    private final KnownNodes known;
    private final boolean needsFeatures;

    private BlockScoring(Detector detector, BlockGraph graph) {
        this.detector = detector;
        this.graph = graph;
        boolean isAnother =
                graph.isNumbered() && graph.nodes() < detector.provenance().nodes();
        this.known = isAnother ? KnownNodes.NONE : detector.nodes();
        this.needsFeatures = detector.options().estimators().stream()
                .anyMatch(spec -> "true".equals(spec.options().texts().get("features")));
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
        require(detector);
        BlockScoring scoring = new BlockScoring(detector, graph);
        BlockPass.run(
                detector.model(),
                graph,
                scoring::prepared,
                options,
                (from, forward) -> blocks.accept(scoring.scores(from, forward)),
                progress);
    }

    /** Refuses estimators that cannot be computed block by block. */
    public static void require(Detector detector) {
        for (EstimatorSpec spec : detector.options().estimators()) {
            for (Need need : Need.values()) {
                if (need != Need.CONCENTRATIONS && spec.needs(need)) {
                    throw new BadConfiguration(
                            spec.name() + " needs " + need.text()
                                    + " and cannot be computed block by block; --estimator chooses others, --memory leaves it out");
                }
            }
        }
    }

    private Matrix prepared(Matrix features) {
        return detector.options().preprocessing().apply(features);
    }

    private Scores scores(int from, Forward forward) {
        NodeIds ids = NodeIds.named(graph.ids(from, forward.nodes()));
        Graph.Builder alone =
                Graph.builder(graph.name(), Adjacency.empty(forward.nodes())).ids(ids);
        if (needsFeatures) {
            alone.features(prepared(graph.features(from, forward.nodes())));
        }
        Evidence evidence = Evidence.of(forward, alone.build(), NodeSet.of())
                .placed(known.trainingPlaces(ids, NodeSet.all(ids.size())));
        return detector.estimators().score(evidence, ids, Progress.NONE).withRoles(known.roles(ids));
    }
}
