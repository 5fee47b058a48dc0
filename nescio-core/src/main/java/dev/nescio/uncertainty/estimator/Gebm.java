// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.graph.Adjacency;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.density.ClassGaussians;
import dev.nescio.uncertainty.density.LogSumExp;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * GEBM (Fuchsgruber et al. 2024): the sum of three energies at different scales of the graph, each corrected by how far a
 * node lies from the Gaussians of the training classes. Fitted on the last hidden state and the logits of the network;
 * evaluated on those of the same network without edges, so that evidence is diffused once and not twice.
 */
public final class Gebm implements Estimator {

    private static final double STAY = 0.5;
    private static final int STEPS = 10;
    private static final int BLOCK_ROWS = 512;
    /** The share at either end that a robust range leaves out. */
    private static final double TAIL = 0.025;

    @Override
    public About about() {
        return new About(
                "gebm",
                "energies at three scales of the graph, corrected by distance; for homophilic graphs",
                "logits, last state, training labels, graph, a second forward pass without edges",
                "Energy-based Epistemic Uncertainty for Graph Neural Networks, NeurIPS 2024");
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.EDGES, Need.FORWARD_WITHOUT_EDGES);
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        return FittedGebm.of(state);
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        DenseMatrix logits = evidence.requireLogits(name());
        DenseMatrix states = evidence.lastState();
        int[] training = evidence.training().toArray();
        int[] labels = evidence.requireTrainingLabels(name(), logits.columns());
        ClassGaussians gaussians = ClassGaussians.fit(states.select(training), labels, logits.columns());
        double[][] distance = new double[gaussians.classes()][states.rows()];
        double[][] logit = new double[gaussians.classes()][states.rows()];
        forEachDistance(gaussians, states, (v, c, squared) -> {
            distance[c][v] = squared;
            logit[c][v] = logits.get(v, c);
        });
        return new FittedGebm(gaussians, ranges(distance), ranges(logit));
    }

    /** Is told how far a node lies from the Gaussian of a class, by several threads at a time. */
    @FunctionalInterface
    private interface DistanceListener {
        void distance(int node, int label, double squared);
    }

    private static void forEachDistance(ClassGaussians gaussians, DenseMatrix states, DistanceListener listener) {
        int classes = gaussians.classes();
        Parallel.sideBySide((states.rows() + BLOCK_ROWS - 1) / BLOCK_ROWS, block -> {
            int from = block * BLOCK_ROWS;
            double[] distances = gaussians.squaredDistances(states, from, Math.min(BLOCK_ROWS, states.rows() - from));
            for (int i = 0; i < distances.length; i++) {
                listener.distance(from + i / classes, i % classes, distances[i]);
            }
        });
    }

    /** Per class the smallest and the largest value without the tails. */
    private static double[][] ranges(double[][] perClass) {
        double[][] ranges = new double[perClass.length][];
        for (int c = 0; c < perClass.length; c++) {
            double[] sorted = perClass[c].clone();
            Arrays.sort(sorted);
            int first = (int) (TAIL * sorted.length);
            int last = Math.max(first, (int) ((1 - TAIL) * sorted.length) - 1);
            ranges[c] = new double[] {sorted[first], sorted[last]};
        }
        return ranges;
    }

    /** The fitted form. */
    static final class FittedGebm implements FittedEstimator {

        private final ClassGaussians gaussians;
        private final double[][] distanceRanges;
        private final double[][] logitRanges;

        FittedGebm(ClassGaussians gaussians, double[][] distanceRanges, double[][] logitRanges) {
            this.gaussians = gaussians;
            this.distanceRanges = distanceRanges;
            this.logitRanges = logitRanges;
        }

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            Evidence alone = evidence.requireWithoutEdges("gebm");
            Adjacency adjacency = evidence.requireGraph("gebm").adjacency();
            double[][] classEvidence = classEvidence(alone.requireLogits("gebm"), alone.lastState());
            double[][] independent = new double[classEvidence.length][];
            for (int v = 0; v < independent.length; v++) {
                independent[v] = new double[] {-LogSumExp.of(classEvidence[v])};
            }
            Diffusion diffusion = new Diffusion(adjacency, STAY, true);
            double[][] group = diffusion.apply(independent, STEPS);
            double[][] local = diffusion.apply(classEvidence, STEPS);
            double[] scores = new double[independent.length];
            for (int v = 0; v < scores.length; v++) {
                scores[v] = -LogSumExp.of(local[v]) + group[v][0] + independent[v][0];
            }
            return scores;
        }

        /** Logits minus the distance from each class, which is first brought to the range of the class's logits. */
        private double[][] classEvidence(DenseMatrix logits, DenseMatrix states) {
            double[][] evidence = new double[logits.rows()][logits.columns()];
            forEachDistance(
                    gaussians, states, (v, c, squared) -> evidence[v][c] = logits.get(v, c) - scaled(squared, c));
            return evidence;
        }

        private double scaled(double distance, int label) {
            double[] from = distanceRanges[label];
            double[] to = logitRanges[label];
            double width = from[1] > from[0] ? from[1] - from[0] : 1;
            return (distance - from[0]) / width * (to[1] - to[0]) + to[0];
        }

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = new LinkedHashMap<>();
            state.put("counts", NdArray.of(gaussians.counts()));
            state.put("means", StoredState.table(gaussians.means()));
            state.put("variances", StoredState.table(gaussians.variances()));
            state.put("distanceRanges", StoredState.table(distanceRanges));
            state.put("logitRanges", StoredState.table(logitRanges));
            return state;
        }

        static FittedGebm of(Map<String, NdArray> state) {
            return new FittedGebm(
                    new ClassGaussians(
                            StoredState.ints(state, "counts"),
                            StoredState.table(state, "means"),
                            StoredState.table(state, "variances")),
                    StoredState.table(state, "distanceRanges"),
                    StoredState.table(state, "logitRanges"));
        }
    }
}
