// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.density.Bandwidth;
import dev.nescio.uncertainty.density.KernelDensity;
import java.util.List;
import java.util.Map;

/**
 * Joint latent density estimation by Gaussian kernels on the training nodes: the negative log of their mean. Smoother than
 * nearest neighbours, and as costly.
 */
public final class JldeKernels extends JointEstimator {

    /** Width of the kernels: a number, {@code scale}, {@code scott} or {@code median}, which is the default. */
    public static final Option<Bandwidth> BANDWIDTH = Option.of(
            "bandwidth",
            new Kind<>("X", "a bandwidth (0.5), scale, scott or median", Bandwidth::parse, Bandwidth::text),
            new Bandwidth.Median(),
            "Width of the kernels: a number, scale, scott or median.");

    /** The estimator {@code jlde-kde}, which has no state; {@link #fit} does the work. */
    public JldeKernels() {
        super(
                new About(
                        "jlde-kde",
                        "Gaussian kernels on the training nodes in all layers joined; smoother than jlde",
                        "hidden states",
                        "Joint Latent Density Estimation, ICML 2025"),
                BANDWIDTH);
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        List<JointStates> parts = JointStates.fit(options, evidence);
        double[] widths = parts.stream()
                .mapToDouble(p -> options.get(BANDWIDTH).of(p.training()))
                .toArray();
        return new FittedKernels(parts, evidence.training().toArray(), widths);
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        List<JointStates> parts = JointStates.load(state);
        double[] widths = StoredState.doubles(state, "bandwidths");
        StoredState.require(widths.length == parts.size(), "'bandwidths' does not hold one number per part");
        return new FittedKernels(parts, StoredState.ints(state, "trainingNodes"), widths);
    }

    private record FittedKernels(List<JointStates> parts, int[] trainingNodes, double[] bandwidths)
            implements FittedEstimator {

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = JointStates.save(parts, trainingNodes);
            state.put("bandwidths", NdArray.of(bandwidths));
            return state;
        }

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            return JointStates.score(
                    parts, evidence, progress, part -> new Kernels(part.training(), bandwidths[parts.indexOf(part)]));
        }
    }

    private static final class Kernels implements JointStates.Density {

        private final KernelDensity kernels;

        Kernels(DenseMatrix training, double bandwidth) {
            this.kernels = new KernelDensity(training, bandwidth);
        }

        @Override
        public double[] score(DenseMatrix rows, int[] itself) {
            double[] scores = kernels.negativeLogDensity(rows);
            for (int i = 0; i < itself.length; i++) {
                scores[i] = itself[i] < 0 ? scores[i] : kernels.without(itself[i], rows, i, scores[i]);
            }
            return scores;
        }

        @Override
        public void close() {
            kernels.close();
        }
    }
}
