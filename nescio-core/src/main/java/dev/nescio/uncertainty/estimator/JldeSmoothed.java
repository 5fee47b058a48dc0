// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadModelFile;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A density by itself, and averaged over the neighbourhood as far as neighbours are alike. With u the score of
 * {@code jlde-relative} and a the agreement of the training labels along edges, from 0 (chance) to 1,
 *
 * <pre>score = z(ln u) + a z(P^10 ln u),   P = (1 - a/2) I + a/2 (mean over a node and its neighbours)</pre>
 *
 * where z subtracts the median and divides by the range of the middle half, both over the nodes of the graph at fit time. Where labels
 * say nothing about neighbours, a is 0 and nodes are ranked as {@code jlde-relative} ranks them; nobody has to say which kind
 * of graph it is.
 */
final class JldeSmoothed implements Estimator {

    private static final int STEPS = 10;
    /** Edges between training nodes that count as chance: a handful of them must not decide. */
    private static final double DOUBT = 10;
    /** Keeps the logarithm of a distance of zero finite; distances of relative states are of the order of 1. */
    private static final double TINY = 1e-12;

    private final JldeRelative density;

    JldeSmoothed(JldeRelative density) {
        this.density = density;
    }

    @Override
    public About about() {
        return new About(
                "jlde-smoothed",
                "jlde-relative, and its average over the neighbourhood as far as training labels agree along edges",
                "all states, training labels, graph",
                "Nescio");
    }

    @Override
    public OptionGroup options() {
        return new OptionGroup(name(), density.options().options());
    }

    @Override
    public Set<Need> needs() {
        Set<Need> needs = EnumSet.of(Need.EDGES);
        needs.addAll(density.needs());
        return needs;
    }

    @Override
    public void require(Options options, Available available) {
        Estimator.super.require(options, available);
        density.require(inner(options), available);
    }

    private Options inner(Options options) {
        return density.options().parse(options.texts());
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        Graph graph = evidence.requireGraph(name());
        FittedEstimator fitted = density.fit(inner(options), evidence);
        double agreement = agreement(graph, evidence.training());
        double[] own = logarithms(fitted, evidence, Progress.NONE);
        return new Fitted(fitted, agreement, Scale.of(own), Scale.of(smoothed(own, graph.adjacency(), agreement)));
    }

    /**
     * How far the labels of adjacent training nodes agree beyond chance: adjusted homophily, drawn towards 0 where there are few such
     * edges, and 0 where neighbours rather differ.
     */
    static double agreement(Graph graph, NodeSet training) {
        int[] pointers = graph.adjacency().pointers();
        double[] ends = new double[Math.max(1, graph.classes().size())];
        double same = 0;
        double all = 0;
        for (int v : training.toArray()) {
            for (int e = pointers[v]; e < pointers[v + 1]; e++) {
                int w = graph.adjacency().neighbours()[e];
                if (w != v && training.contains(w) && graph.label(v) >= 0 && graph.label(w) >= 0) {
                    all++;
                    ends[graph.label(v)]++;
                    same += graph.label(v) == graph.label(w) ? 1 : 0;
                }
            }
        }
        double total = all;
        double chance = Arrays.stream(ends).map(e -> e * e / (total * total)).sum();
        return total == 0 || chance >= 1
                ? 0
                : Math.max(0, (same / total - chance) / (1 - chance)) * total / (total + 2 * DOUBT);
    }

    private static double[] logarithms(FittedEstimator density, Evidence evidence, Progress progress) {
        return Arrays.stream(density.score(evidence, progress))
                .map(u -> Math.log(u + TINY))
                .toArray();
    }

    private static double[] smoothed(double[] values, Adjacency adjacency, double agreement) {
        double[][] columns =
                Arrays.stream(values).mapToObj(value -> new double[] {value}).toArray(double[][]::new);
        return Arrays.stream(new Diffusion(adjacency, 1 - agreement / 2, true).apply(columns, STEPS))
                .mapToDouble(row -> row[0])
                .toArray();
    }

    /** The median of some numbers, and the range of their middle half. */
    private record Scale(double median, double range) {

        static Scale of(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int n = sorted.length;
            double range = sorted[3 * n / 4] - sorted[n / 4];
            return new Scale(sorted[n / 2], range > 0 ? range : 1);
        }

        double of(double value) {
            return (value - median) / range;
        }
    }

    private record Fitted(FittedEstimator density, double agreement, Scale own, Scale around)
            implements FittedEstimator {

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            double[] values = logarithms(density, evidence, progress);
            // The average is over what the estimator was fitted on, where training nodes are near themselves.
            Evidence asFitted = evidence.placed(new int[0]);
            double[] all = evidence.places().length == 0 ? values : logarithms(density, asFitted, Progress.NONE);
            double[] smooth =
                    smoothed(all, evidence.requireGraph("jlde-smoothed").adjacency(), agreement);
            double[] scores = new double[values.length];
            for (int v = 0; v < scores.length; v++) {
                scores[v] = own.of(values[v]) + agreement * around.of(smooth[v]);
            }
            return scores;
        }

        @Override
        public String remark() {
            return density.remark();
        }

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = new LinkedHashMap<>(density.state());
            state.put("smoothed.scales", NdArray.of(agreement, own.median, own.range, around.median, around.range));
            return state;
        }
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        double[] scales = StoredState.doubles(state, "smoothed.scales");
        boolean isSound = scales.length == 5
                && scales[0] >= 0
                && scales[0] <= 1
                && scales[2] > 0
                && scales[4] > 0
                && Arrays.stream(scales).allMatch(Double::isFinite);
        if (!isSound) {
            throw new BadModelFile(
                    "'smoothed.scales' does not hold an agreement from 0 to 1 and two medians with positive ranges");
        }
        return new Fitted(
                density.load(inner(options), state),
                scales[0],
                new Scale(scales[1], scales[2]),
                new Scale(scales[3], scales[4]));
    }
}
