// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.Options;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadModelFile;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Divisible;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.density.NearestNeighbours;
import dev.nescio.uncertainty.density.NeighbourSearch;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Joint latent density estimation by nearest neighbours: every hidden state is reduced by its principal components, the
 * reduced states are joined, and a node is as uncertain as it is far from its k nearest training nodes,
 * {@code ((1/k) sum d)^2} by default. Estimating the density on all layers together keeps what a single layer forgets;
 * under heterophily layers differ in what they know.
 *
 * <p>Exact and by blocks: no matrix of all nodes times all training nodes exists at any time.
 */
public final class Jlde extends JointEstimator {

    /** How k distances d become one score. */
    public enum Reduction {
        /** {@code (mean d)^2}: the paper's appendix and the published code. */
        SQUARED_MEAN,
        /** {@code sum d^2}: the paper's Algorithm 1. */
        SUM_OF_SQUARES,
        /** {@code mean d}: ranks as the paper's equation (3). */
        MEAN
    }

    /** Number of nearest training nodes to compare with, at least 1 and at most all of them; 5 by default. */
    public static final Option<Integer> K =
            Option.of("k", Kind.count(), 5, "Number of nearest training nodes to compare with.");
    /** How k distances become one score; {@link Reduction#SQUARED_MEAN} by default. */
    public static final Option<Reduction> REDUCTION = Option.of(
            "reduction",
            Kind.constant(Reduction.class),
            Reduction.SQUARED_MEAN,
            "How k distances become one score: squared_mean, sum_of_squares or mean.");
    /** Whether each distance is divided by the softplus of the training node's logit energy; needs logits. Off by default. */
    public static final Option<Boolean> ENERGY =
            Option.flag("energy", "Divide each distance by the softplus of the training node's logit energy.");
    /** What files of older versions hold whose search was approximate: one of the parts of the index, which nobody reads. */
    private static final String OLD_INDEX = "part0.index.entry";

    /** The estimator {@code jlde}, which has no state; {@link #fit} does the work. */
    public Jlde() {
        super(
                new About(
                        "jlde",
                        "nearest training nodes in all layers joined; the method of the paper",
                        "hidden states",
                        "Joint Latent Density Estimation, ICML 2025"),
                K,
                REDUCTION,
                ENERGY);
    }

    @Override
    public void require(Options options, Available available) {
        super.require(options, available);
        requireEnough(options, available.trainingNodes());
    }

    private static void requireEnough(Options options, int trainingNodes) {
        if (options.get(K) > trainingNodes) {
            throw new BadConfiguration("k must be at most the number of training nodes, got k = " + options.get(K)
                    + ", training nodes = " + trainingNodes);
        }
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        requireEnough(options, evidence.training().size());
        return new FittedJlde(
                options,
                JointStates.fit(options, evidence),
                evidence.training().toArray(),
                trainingWeights(options, evidence),
                false);
    }

    private static double @Nullable [] trainingWeights(Options options, Evidence evidence) {
        if (!options.get(ENERGY)) {
            return null;
        }
        DenseMatrix logits = evidence.requireLogits("the energy normalisation of jlde");
        double[] weights = Energy.of(logits.select(evidence.training().toArray()));
        for (int i = 0; i < weights.length; i++) {
            weights[i] = softplus(-weights[i]);
        }
        return weights;
    }

    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        int[] nodes = StoredState.ints(state, "trainingNodes");
        double[] weights = options.get(ENERGY) ? StoredState.doubles(state, "trainingWeights") : null;
        if (options.get(K) > nodes.length || (weights != null && weights.length != nodes.length)) {
            throw new BadModelFile("there are " + nodes.length + " training nodes, which do not match k = "
                    + options.get(K) + " or the training weights");
        }
        return new FittedJlde(options, JointStates.load(state), nodes, weights, state.containsKey(OLD_INDEX));
    }

    /** @param hadIndex whether an older version searched approximately */
    private record FittedJlde(
            Options options,
            List<JointStates> parts,
            int[] trainingNodes,
            double @Nullable [] trainingWeights,
            boolean hadIndex)
            implements Explainable, Divisible {

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = JointStates.save(parts, trainingNodes);
            if (trainingWeights != null) {
                state.put("trainingWeights", NdArray.of(trainingWeights));
            }
            return state;
        }

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            return JointStates.score(parts, evidence, progress, part -> {
                return new Neighbourhood(this, search(part, evidence.places().length > 0));
            });
        }

        /** @param oneMore so that one can be left out */
        private NeighbourSearch search(JointStates part, boolean oneMore) {
            int k = Math.min(options.get(K) + (oneMore ? 1 : 0), part.training().rows());
            return new NearestNeighbours(part.training(), k);
        }

        /** The k nearest of each row but for itself; where k is the number of all training nodes, none can be left out. */
        private NeighbourSearch.Found nearest(NeighbourSearch search, DenseMatrix rows, int[] itself) {
            NeighbourSearch.Found found = search.search(rows);
            return itself.length == 0 || found.k() == options.get(K) ? found : found.without(itself);
        }

        @Override
        public int trainingRows() {
            return trainingNodes.length;
        }

        @Override
        public long trainingBytes() {
            return JointStates.trainingBytes(parts);
        }

        /** One more than the nearest, so that a node can be left out. */
        @Override
        public int fewestRows() {
            return options.get(K) + 1;
        }

        @Override
        public Divisible part(int from, int to) {
            return new FittedJlde(
                    options,
                    parts.stream().map(part -> part.part(from, to)).toList(),
                    Arrays.copyOfRange(trainingNodes, from, to),
                    trainingWeights == null ? null : Arrays.copyOfRange(trainingWeights, from, to),
                    hadIndex);
        }

        @Override
        public Comparison compare(Evidence evidence) {
            int k = options.get(K);
            List<NearestRows> all = new ArrayList<>();
            for (JointStates part : parts) {
                NearestRows rows =
                        new NearestRows(k, new double[evidence.nodes() * k], new double[evidence.nodes() * k]);
                try (NeighbourSearch search = search(part, evidence.places().length > 0)) {
                    part.forEachBlock(evidence, (from, states, itself) -> {
                        NeighbourSearch.Found found = nearest(search, states, itself);
                        System.arraycopy(found.distances(), 0, rows.distances, from * k, found.distances().length);
                        System.arraycopy(weighted(found), 0, rows.weighted, from * k, found.distances().length);
                    });
                }
                all.add(rows);
            }
            return new Nearest(all);
        }

        @Override
        public double[] score(Comparison all) {
            List<NearestRows> nearest = ((Nearest) all).parts;
            double[] scores = new double[nearest.get(0).weighted.length / options.get(K)];
            for (NearestRows part : nearest) {
                for (int i = 0; i < scores.length; i++) {
                    scores[i] += reduce(part.weighted, part.k, i);
                }
            }
            return scores;
        }

        @Override
        public String remark() {
            return hadIndex
                    ? "jlde was fitted with an approximate index, which is not used any more: nodes are compared with all "
                            + trainingNodes.length + " training nodes"
                    : "";
        }

        @Override
        public Explanation explain(Evidence evidence, int node) {
            Map<Integer, Double> perState = new TreeMap<>();
            for (int s = options.get(JointStates.FEATURES) ? JointStates.FEATURE_STATE : 0;
                    s < evidence.states().size();
                    s++) {
                perState.put(s, 0.0);
            }
            List<Explanation.Neighbour> neighbours = new ArrayList<>();
            double score = 0;
            for (JointStates part : parts) {
                DenseMatrix row = part.embed(evidence, node);
                int[] itself = evidence.places().length == 0 ? evidence.places() : new int[] {evidence.places()[node]};
                try (NeighbourSearch search = search(part, itself.length > 0)) {
                    NeighbourSearch.Found found = nearest(search, row, itself);
                    score += reduce(weighted(found), found.k(), 0);
                    for (int i = 0; i < found.k(); i++) {
                        part.share(row, found.rows()[i], amount(found, i), perState);
                        int position = found.rows()[i];
                        neighbours.add(
                                new Explanation.Neighbour(trainingNodes[position], position, found.distances()[i]));
                    }
                }
            }
            List<Explanation.Contribution> contributions = perState.entrySet().stream()
                    .map(e -> new Explanation.Contribution(e.getKey(), e.getValue()))
                    .toList();
            return new Explanation(score, contributions, neighbours);
        }

        /** What the i-th neighbour of a single query adds to the score; the sum over all is the score. */
        private double amount(NeighbourSearch.Found found, int i) {
            double sum = 0;
            for (int j = 0; j < found.k(); j++) {
                sum += weighted(found, j);
            }
            double distance = weighted(found, i);
            return switch (options.get(REDUCTION)) {
                case SQUARED_MEAN -> distance * sum / ((double) found.k() * found.k());
                case SUM_OF_SQUARES -> distance * distance;
                case MEAN -> distance / found.k();
            };
        }

        private double weighted(NeighbourSearch.Found found, int i) {
            return found.distances()[i] / (trainingWeights == null ? 1 : trainingWeights[found.rows()[i]]);
        }

        private double[] weighted(NeighbourSearch.Found found) {
            return IntStream.range(0, found.rows().length)
                    .mapToDouble(i -> weighted(found, i))
                    .toArray();
        }

        /** @param distances weighted ones, k per query */
        private double reduce(double[] distances, int k, int query) {
            double sum = 0;
            double squares = 0;
            for (int i = query * k; i < (query + 1) * k; i++) {
                sum += distances[i];
                squares += distances[i] * distances[i];
            }
            double mean = sum / k;
            return switch (options.get(REDUCTION)) {
                case SQUARED_MEAN -> mean * mean;
                case SUM_OF_SQUARES -> squares;
                case MEAN -> mean;
            };
        }
    }

    /** @param parts one for each of the joint states */
    private record Nearest(List<NearestRows> parts) implements Divisible.Comparison {

        @Override
        public Divisible.Comparison and(Divisible.Comparison others) {
            List<NearestRows> joined = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                joined.add(parts.get(i).and(((Nearest) others).parts.get(i)));
            }
            return new Nearest(joined);
        }
    }

    /**
     * The k nearest rows of every node, nearest first.
     *
     * @param weighted the same distances by the weights of the rows
     */
    private record NearestRows(int k, double[] distances, double[] weighted) implements Serializable {

        NearestRows and(NearestRows others) {
            NearestRows joined = new NearestRows(k, new double[distances.length], new double[distances.length]);
            for (int first = 0; first < distances.length; first += k) {
                int here = first;
                int there = first;
                for (int i = first; i < first + k; i++) {
                    boolean isHere = distances[here] <= others.distances[there];
                    NearestRows nearer = isHere ? this : others;
                    int at = isHere ? here++ : there++;
                    joined.distances[i] = nearer.distances[at];
                    joined.weighted[i] = nearer.weighted[at];
                }
            }
            return joined;
        }
    }

    private static final class Neighbourhood implements JointStates.Density {

        private final FittedJlde fitted;
        private final NeighbourSearch neighbours;

        Neighbourhood(FittedJlde fitted, NeighbourSearch neighbours) {
            this.fitted = fitted;
            this.neighbours = neighbours;
        }

        @Override
        public double[] score(DenseMatrix rows, int[] itself) {
            NeighbourSearch.Found found = fitted.nearest(neighbours, rows, itself);
            double[] distances = fitted.weighted(found);
            double[] scores = new double[rows.rows()];
            for (int i = 0; i < scores.length; i++) {
                scores[i] = fitted.reduce(distances, found.k(), i);
            }
            return scores;
        }

        @Override
        public void close() {
            neighbours.close();
        }
    }
}
