// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Options;
import dev.nescio.problem.BadModelFile;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up how rare a node is in each of several respects: {@code sum over states of -log p}, p the share of nodes whose only column is
 * at least as large ({@link Rarity}; Fisher's way to combine tests). For states that are surprises already, one column each; learns from all nodes.
 */
public final class Surprise implements Estimator {

    /** What it is called. */
    public static final String NAME = "surprise";

    @Override
    public About about() {
        return new About(
                NAME,
                "how rare a node is by its features, its place in the graph, its surroundings and its edges; needs no labels",
                "surprises of nodes, which 'nescio fit GRAPH' computes",
                "Statistical Methods for Research Workers, Fisher 1925");
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        return new Fitted(evidence.states().stream()
                .map(state -> new Rarity(sorted(state)))
                .toList());
    }

    private static float[] sorted(DenseMatrix state) {
        if (state.columns() != 1) {
            throw new BadModelFile("a surprise has one column, got " + state.columns());
        }
        float[] values = state.values().clone();
        Arrays.sort(values);
        return values;
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        List<Rarity> known = new ArrayList<>();
        for (int s = 0; s < StoredState.single(state, "states"); s++) {
            float[] values = StoredState.floats(state, "state" + s);
            for (int i = 0; i < values.length; i++) {
                StoredState.require(i == 0 || values[i - 1] <= values[i], "'state" + s + "' is not in ascending order");
            }
            known.add(new Rarity(values));
        }
        return new Fitted(known);
    }

    /** @param known what was seen in each state, ascending */
    private record Fitted(List<Rarity> known) implements Explainable {

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            double[] scores = new double[evidence.nodes()];
            for (int v = 0; v < scores.length; v++) {
                for (int s = 0; s < known.size(); s++) {
                    scores[v] += rarity(evidence, s, v);
                }
            }
            progress.at(scores.length, scores.length);
            return scores;
        }

        private double rarity(Evidence evidence, int state, int node) {
            if (evidence.states().size() != known.size()
                    || evidence.states().get(state).columns() != 1) {
                throw new BadModelFile("fitted on " + known.size() + " states of one column each");
            }
            return known.get(state).of(evidence.states().get(state).get(node, 0));
        }

        @Override
        public Explanation explain(Evidence evidence, int node) {
            List<Explanation.Contribution> parts = new ArrayList<>();
            double score = 0;
            for (int s = 0; s < known.size(); s++) {
                parts.add(new Explanation.Contribution(s, rarity(evidence, s, node)));
                score += parts.get(s).amount();
            }
            return new Explanation(score, parts, List.of());
        }

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = new LinkedHashMap<>();
            state.put("states", NdArray.of(known.size()));
            for (int s = 0; s < known.size(); s++) {
                state.put(
                        "state" + s,
                        new NdArray.Floats(
                                new int[] {known.get(s).ascending().length},
                                known.get(s).ascending()));
            }
            return state;
        }
    }
}
