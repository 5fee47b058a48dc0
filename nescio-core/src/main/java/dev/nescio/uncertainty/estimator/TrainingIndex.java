// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadModelFile;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.density.NeighbourGraph;
import dev.nescio.uncertainty.density.NeighbourIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A graph over the training nodes that finds the nearest ones faster than looking at all, and not always rightly.
 *
 * @param recall the share of true nearest neighbours that it found when it was fitted
 */
public record TrainingIndex(NeighbourGraph graph, double recall) {

    /** With fewer training nodes than this, comparing with all of them is as fast, and exact. */
    static final int SMALLEST = 10_000;

    private static final int MEASURED_NODES = 500;

    static TrainingIndex build(JointStates part, Evidence evidence, int k) {
        NeighbourIndex index = NeighbourIndex.load();
        NeighbourGraph graph = index.build(part.training());
        int[] nodes = new int[Math.min(MEASURED_NODES, evidence.nodes())];
        Arrays.setAll(nodes, i -> (int) ((long) i * evidence.nodes() / nodes.length));
        return new TrainingIndex(graph, index.recall(graph, part.training(), k, part.embed(evidence, nodes)));
    }

    void save(String prefix, Map<String, NdArray> state) {
        state.put(prefix + "recall", NdArray.of(new double[] {recall}));
        state.put(prefix + "entry", NdArray.of(graph.entry()));
        state.put(prefix + "levels", NdArray.of(graph.levels().size()));
        for (int l = 0; l < graph.levels().size(); l++) {
            NeighbourGraph.Level level = graph.levels().get(l);
            state.put(prefix + "rows" + l, NdArray.of(level.rows()));
            state.put(prefix + "pointers" + l, NdArray.of(level.pointers()));
            state.put(prefix + "links" + l, NdArray.of(level.links()));
        }
    }

    /** The inverse of {@link #save}. */
    static TrainingIndex load(String prefix, Map<String, NdArray> state, int trainingNodes) {
        List<NeighbourGraph.Level> levels = new ArrayList<>();
        int count = StoredState.single(state, prefix + "levels");
        for (int l = 0; l < count; l++) {
            levels.add(new NeighbourGraph.Level(
                    StoredState.ints(state, prefix + "rows" + l),
                    StoredState.ints(state, prefix + "pointers" + l),
                    StoredState.ints(state, prefix + "links" + l)));
        }
        NeighbourGraph graph = new NeighbourGraph(StoredState.single(state, prefix + "entry"), levels);
        if (levels.get(0).rows().length != trainingNodes) {
            throw new BadModelFile("'" + prefix + "rows0' does not have one row per training node");
        }
        return new TrainingIndex(graph, StoredState.doubles(state, prefix + "recall")[0]);
    }
}
