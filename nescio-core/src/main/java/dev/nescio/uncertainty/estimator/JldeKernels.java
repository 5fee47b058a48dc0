package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.density.KernelDensity;
import java.util.List;
import java.util.Map;

/**
 * Joint latent density estimation by Gaussian kernels on the training nodes: the negative log of their mean. Smoother than
 * nearest neighbours, and as costly.
 */
public final class JldeKernels implements Estimator {

    private final JldeOptions options;

    public JldeKernels(JldeOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "jlde-kde";
    }

    @Override
    public FittedEstimator fit(Evidence evidence) {
        List<JointStates> parts = JointStates.fit(options, evidence);
        double[] widths = parts.stream()
                .mapToDouble(p -> options.bandwidth().of(p.training()))
                .toArray();
        return new FittedKernels(parts, evidence.training().toArray(), widths);
    }

    /** The inverse of {@link FittedEstimator#state}. */
    static FittedEstimator load(Map<String, NdArray> state) {
        return new FittedKernels(
                JointStates.load(state),
                StoredState.ints(state, "trainingNodes"),
                StoredState.doubles(state, "bandwidths"));
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
        public double[] score(DenseMatrix rows) {
            return kernels.negativeLogDensity(rows);
        }

        @Override
        public void close() {
            kernels.close();
        }
    }
}
