// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadModelFile;
import dev.nescio.progress.Progress;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.tensor.TensorRows;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The squared Mahalanobis distance from the nearest class (Lee et al. 2018): {@code min_c (h - m_c)' S^-1 (h - m_c)} of one hidden
 * state, m_c the mean of the training nodes of a class, S the covariance that all classes share.
 */
public final class Mahalanobis implements Estimator {

    /** The hidden state to use, counted from 0, or from -1 backwards; -1, the last one, by default. */
    public static final Option<Integer> STATE = Option.of(
            "state",
            new Kind<>("I", "the number of a state", Integer::valueOf, String::valueOf),
            -1,
            "Hidden state to use, by number; negative numbers count from the end.");

    /** Directions with a smaller share of the largest variance than this count as having that share. */
    private static final double SMALLEST_SHARE = 1e-6;

    private static final int BLOCK_ROWS = 4096;

    @Override
    public About about() {
        return new About(
                "mahalanobis",
                "distance from the nearest class in one layer, by a covariance that all classes share; cheap, a baseline",
                "hidden states, training labels",
                "A Simple Unified Framework for Detecting Out-of-Distribution Samples, NeurIPS 2018");
    }

    @Override
    public OptionGroup options() {
        return OptionGroup.of(name(), STATE);
    }

    @Override
    public void require(Options options, Available available) {
        Estimator.super.require(options, available);
        JointStates.number(options.get(STATE), available.states());
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        int state = JointStates.number(options.get(STATE), evidence.states().size());
        int classes = evidence.requireGraph(name()).classes().size();
        int[] labels = evidence.requireTrainingLabels(name(), classes);
        DenseMatrix rows =
                evidence.states().get(state).select(evidence.training().toArray());
        double[][] means = means(rows, labels, classes);
        DenseMatrix whitening = whitening(rows, labels, means);
        float[] flat = new float[classes * rows.columns()];
        for (int c = 0; c < classes; c++) {
            for (int j = 0; j < rows.columns(); j++) {
                flat[c * rows.columns() + j] = (float) means[c][j];
            }
        }
        DenseMatrix centres = DenseMatrix.of(classes, rows.columns(), flat);
        return new Fitted(state, present(labels, classes), centres, whitening);
    }

    private static int[] present(int[] labels, int classes) {
        int[] counts = new int[classes];
        for (int label : labels) {
            counts[label]++;
        }
        return counts;
    }

    private static double[][] means(DenseMatrix rows, int[] labels, int classes) {
        int[] counts = present(labels, classes);
        double[][] means = new double[classes][rows.columns()];
        for (int i = 0; i < labels.length; i++) {
            for (int j = 0; j < rows.columns(); j++) {
                means[labels[i]][j] += rows.get(i, j) / (double) counts[labels[i]];
            }
        }
        return means;
    }

    /** Columns so that the squared length of {@code (h - m) W} is the Mahalanobis distance. */
    private static DenseMatrix whitening(DenseMatrix rows, int[] labels, double[][] means) {
        int width = rows.columns();
        double[] covariance = new double[width * width];
        double[] difference = new double[width];
        for (int i = 0; i < labels.length; i++) {
            for (int j = 0; j < width; j++) {
                difference[j] = rows.get(i, j) - means[labels[i]][j];
            }
            for (int j = 0; j < width; j++) {
                for (int k = 0; k <= j; k++) {
                    covariance[j * width + k] += difference[j] * difference[k] / labels.length;
                }
            }
        }
        return Scope.run(() -> {
            Tensor.Eigen eigen = Tensor.of(covariance, width, width).symmetricEigen();
            double[] variances = eigen.values().toDoubles();
            double[] vectors = eigen.vectors().toDoubles();
            double floor = Math.max(SMALLEST_SHARE * variances[width - 1], 1e-12);
            float[] columns = new float[width * width];
            for (int i = 0; i < columns.length; i++) {
                columns[i] = (float) (vectors[i] / Math.sqrt(Math.max(variances[i % width], floor)));
            }
            return DenseMatrix.of(width, width, columns);
        });
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        DenseMatrix centres = StoredState.matrix(state, "centres");
        DenseMatrix whitening = StoredState.matrix(state, "whitening");
        int[] counts = StoredState.ints(state, "counts");
        boolean isSquare = whitening.rows() == whitening.columns() && whitening.rows() == centres.columns();
        if (!isSquare || counts.length != centres.rows()) {
            throw new BadModelFile("the shapes of the centres and of the covariance do not fit together");
        }
        return new Fitted(StoredState.single(state, "state"), counts, centres, whitening);
    }

    /**
     * @param counts training nodes of each class; a class without any is nobody's nearest
     * @param centres [classes, width]
     * @param whitening [width, width]
     */
    private record Fitted(int number, int[] counts, DenseMatrix centres, DenseMatrix whitening)
            implements FittedEstimator {

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            if (number < 0
                    || number >= evidence.states().size()
                    || evidence.states().get(number).columns() != whitening.rows()) {
                throw new BadModelFile(
                        "fitted on state " + number + " of width " + whitening.rows() + ", which is not there");
            }
            DenseMatrix states = evidence.states().get(number);
            double[] scores = new double[states.rows()];
            Arrays.fill(scores, Double.POSITIVE_INFINITY);
            for (int from = 0; from < scores.length; from += BLOCK_ROWS) {
                int count = Math.min(BLOCK_ROWS, scores.length - from);
                score(states, from, count, scores);
                progress.at(from + count, scores.length);
            }
            return scores;
        }

        private void score(DenseMatrix states, int from, int count, double[] scores) {
            Scope.run(() -> {
                Tensor map = Tensor.of(whitening);
                Tensor rows = TensorRows.of(states, from, count);
                for (int c = 0; c < counts.length; c++) {
                    if (counts[c] > 0) {
                        Tensor centre = Tensor.of(centres.values(), c * states.columns(), 1, states.columns());
                        double[] squares = rows.minus(centre)
                                .product(map)
                                .squaredRowNorms()
                                .toDoubles();
                        for (int i = 0; i < count; i++) {
                            scores[from + i] = Math.min(scores[from + i], squares[i]);
                        }
                    }
                }
            });
        }

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = new LinkedHashMap<>();
            state.put("state", NdArray.of(number));
            state.put("counts", NdArray.of(counts));
            state.put("centres", NdArray.of(centres));
            state.put("whitening", NdArray.of(whitening));
            return state;
        }
    }
}
