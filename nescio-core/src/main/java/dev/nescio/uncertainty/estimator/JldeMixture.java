// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Option;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.density.ClassGaussians;
import dev.nescio.uncertainty.density.GaussianMixture;
import java.util.List;
import java.util.Map;

/**
 * Joint latent density estimation by one diagonal Gaussian per class: the negative log of their mixture. Needs labels; cheap
 * to score, and very peaked where a class has few training nodes.
 */
public final class JldeMixture extends JointEstimator {

    /** Whether all classes have the same weight, whatever their number of training nodes; off by default. */
    public static final Option<Boolean> EQUAL_PRIORS =
            Option.flag("equal-priors", "Give all classes the same weight, whatever their number of training nodes.");

    /** The estimator {@code jlde-mixture}, which has no state; {@link #fit} does the work. */
    public JldeMixture() {
        super(
                new About(
                        "jlde-mixture",
                        "one Gaussian per class in all layers joined; cheap, for classes with many training nodes",
                        "hidden states, training labels",
                        "Joint Latent Density Estimation, ICML 2025"),
                EQUAL_PRIORS);
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        Graph graph = evidence.requireGraph(name());
        int[] labels = evidence.requireTrainingLabels(name(), graph.classes().size());
        return new FittedMixture(
                options, JointStates.fit(options, evidence), evidence.training().toArray(), labels);
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        int[] nodes = StoredState.ints(state, "trainingNodes");
        return new FittedMixture(
                options, JointStates.load(state), nodes, StoredState.labels(state, "trainingLabels", nodes.length));
    }

    private record FittedMixture(Options options, List<JointStates> parts, int[] trainingNodes, int[] labels)
            implements FittedEstimator {

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = JointStates.save(parts, trainingNodes);
            state.put("trainingLabels", NdArray.of(labels));
            return state;
        }

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            return JointStates.score(parts, evidence, progress, part -> new Mixture(mixture(part.training())));
        }

        private GaussianMixture mixture(DenseMatrix training) {
            int classes = 0;
            for (int label : labels) {
                classes = Math.max(classes, label + 1);
            }
            return new GaussianMixture(ClassGaussians.fit(training, labels, classes), !options.get(EQUAL_PRIORS));
        }
    }

    private record Mixture(GaussianMixture mixture) implements JointStates.Density {

        @Override
        public double[] score(DenseMatrix rows, int[] itself) {
            return mixture.negativeLogDensity(rows);
        }

        @Override
        public void close() {}
    }
}
