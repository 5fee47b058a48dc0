// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Divisible;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.density.Bandwidth;
import dev.nescio.uncertainty.density.KernelDensity;
import dev.nescio.uncertainty.density.LogSumExp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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
            implements Divisible {

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = JointStates.save(parts, trainingNodes);
            state.put("bandwidths", NdArray.of(bandwidths));
            return state;
        }

        @Override
        public int trainingRows() {
            return trainingNodes.length;
        }

        @Override
        public long trainingBytes() {
            return JointStates.trainingBytes(parts);
        }

        /** One more than none, so that a node can be left out. */
        @Override
        public int fewestRows() {
            return 2;
        }

        @Override
        public Divisible part(int from, int to) {
            return new FittedKernels(
                    parts.stream().map(part -> part.part(from, to)).toList(),
                    Arrays.copyOfRange(trainingNodes, from, to),
                    bandwidths);
        }

        @Override
        public Comparison compare(Evidence evidence) {
            int[] counts = IntStream.range(0, evidence.nodes())
                    .map(i ->
                            trainingNodes.length - (evidence.places().length > 0 && evidence.places()[i] >= 0 ? 1 : 0))
                    .toArray();
            List<double[]> logs = new ArrayList<>();
            for (int p = 0; p < parts.size(); p++) {
                double[] sums = new double[counts.length];
                try (Kernels kernels = new Kernels(parts.get(p).training(), bandwidths[p])) {
                    parts.get(p).forEachBlock(evidence, (from, rows, itself) -> {
                        double[] scores = kernels.score(rows, itself);
                        for (int i = 0; i < scores.length; i++) {
                            sums[from + i] = Math.log(counts[from + i]) - scores[i];
                        }
                    });
                }
                logs.add(sums);
            }
            return new Mass(logs, counts);
        }

        @Override
        public double[] score(Comparison all) {
            Mass mass = (Mass) all;
            double[] scores = new double[mass.counts.length];
            for (double[] sums : mass.logs) {
                for (int i = 0; i < scores.length; i++) {
                    scores[i] += Math.log(mass.counts[i]) - sums[i];
                }
            }
            return scores;
        }

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            return JointStates.score(
                    parts, evidence, progress, part -> new Kernels(part.training(), bandwidths[parts.indexOf(part)]));
        }
    }

    /**
     * How much all kernels give a node.
     *
     * @param logs the logarithm of their sum, for each of the joint states
     * @param counts how many kernels there are for a node
     */
    private record Mass(List<double[]> logs, int[] counts) implements Divisible.Comparison {

        @Override
        public Divisible.Comparison and(Divisible.Comparison others) {
            Mass other = (Mass) others;
            List<double[]> sums = new ArrayList<>();
            for (int part = 0; part < logs.size(); part++) {
                double[] here = logs.get(part);
                double[] there = other.logs.get(part);
                sums.add(IntStream.range(0, here.length)
                        .mapToDouble(i -> LogSumExp.of(here[i], there[i]))
                        .toArray());
            }
            return new Mass(
                    sums,
                    IntStream.range(0, counts.length)
                            .map(i -> counts[i] + other.counts[i])
                            .toArray());
        }
    }

    private static final class Kernels implements JointStates.Density {

        private final KernelDensity kernels;

        Kernels(DenseMatrix training, double bandwidth) {
            this.kernels = new KernelDensity(training, bandwidth);
        }

        @Override
        public double[] score(DenseMatrix rows, int[] itself) {
            return kernels.negativeLogDensity(rows, itself);
        }

        @Override
        public void close() {
            kernels.close();
        }
    }
}
