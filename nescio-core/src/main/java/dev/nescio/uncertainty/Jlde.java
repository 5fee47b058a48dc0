package dev.nescio.uncertainty;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadModelFile;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.density.JointEmbedding;
import dev.nescio.uncertainty.density.NearestNeighbours;
import dev.nescio.uncertainty.density.StateMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
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
public final class Jlde implements Estimator {

    private final JldeOptions options;

    public Jlde(JldeOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "jlde";
    }

    @Override
    public FittedJlde fit(Evidence evidence) {
        if (options.k() > evidence.training().size()) {
            throw new BadConfiguration("k must be at most the number of training nodes, got k = " + options.k()
                    + ", training nodes = " + evidence.training().size());
        }
        List<Part> parts = new ArrayList<>();
        for (List<Integer> group : groups(evidence.states().size())) {
            List<DenseMatrix> states = pick(evidence.states(), group);
            JointEmbedding embedding = JointEmbedding.fit(states, options.keep(), options.scaling());
            parts.add(new Part(
                    group,
                    embedding,
                    embedding.apply(states, evidence.training().toArray())));
        }
        return new FittedJlde(options, parts, evidence.training().toArray(), trainingWeights(evidence));
    }

    /** The states that are joined: all in one group, or each in its own. */
    private List<List<Integer>> groups(int count) {
        List<Integer> chosen = options.states().isEmpty()
                ? IntStream.range(0, count).boxed().toList()
                : options.states().stream().map(i -> Math.floorMod(i, count)).toList();
        return options.separate() ? chosen.stream().map(List::of).toList() : List.of(chosen);
    }

    private double @Nullable [] trainingWeights(Evidence evidence) {
        if (!options.energyNormalised()) {
            return null;
        }
        if (evidence.logits() == null) {
            throw new BadConfiguration("distances can only be normalised by energy where logits are given");
        }
        double[] energies =
                Energy.of(evidence.logits().select(evidence.training().toArray()));
        for (int i = 0; i < energies.length; i++) {
            energies[i] = softplus(-energies[i]);
        }
        return energies;
    }

    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }

    static List<DenseMatrix> pick(List<DenseMatrix> states, List<Integer> group) {
        return group.stream().map(states::get).toList();
    }

    /** States that are joined, how, and the training nodes there. */
    record Part(List<Integer> group, JointEmbedding embedding, DenseMatrix training) {

        void save(String prefix, Map<String, NdArray> state) {
            state.put(
                    prefix + "states",
                    NdArray.of(group.stream().mapToInt(Integer::intValue).toArray()));
            state.put(prefix + "training", NdArray.of(training));
            for (int i = 0; i < group.size(); i++) {
                StateMap map = embedding.maps().get(i);
                String name = prefix + "state" + i + ".";
                state.put(name + "mean", vector(map.mean()));
                state.put(name + "scale", vector(map.scale()));
                if (map.components() != null) {
                    state.put(name + "components", NdArray.of(map.components()));
                }
            }
        }

        private static NdArray vector(float[] values) {
            return new NdArray.Floats(new int[] {values.length}, values);
        }

        static Part load(String prefix, Map<String, NdArray> state) {
            int[] group = Stored.ints(state, prefix + "states");
            List<StateMap> maps = new ArrayList<>();
            for (int i = 0; i < group.length; i++) {
                String name = prefix + "state" + i + ".";
                float[] mean = Stored.floats(state, name + "mean");
                float[] scale = Stored.floats(state, name + "scale");
                DenseMatrix components =
                        state.containsKey(name + "components") ? Stored.matrix(state, name + "components") : null;
                int columns = components == null ? mean.length : components.columns();
                if (columns != scale.length || (components != null && components.rows() != mean.length)) {
                    throw new BadModelFile("the shapes of '" + name + "*' do not fit together");
                }
                maps.add(new StateMap(mean, components, scale));
            }
            JointEmbedding embedding = new JointEmbedding(maps);
            DenseMatrix training = Stored.matrix(state, prefix + "training");
            if (training.columns() != embedding.dimensions()) {
                throw new BadModelFile("'" + prefix + "training' has " + training.columns()
                        + " columns, its states have " + embedding.dimensions());
            }
            return new Part(IntStream.of(group).boxed().toList(), embedding, training);
        }
    }

    /** The fitted form. */
    public static final class FittedJlde implements Fitted {

        private final JldeOptions options;
        private final List<Part> parts;
        private final int[] trainingNodes;
        private final double @Nullable [] trainingWeights;

        private FittedJlde(
                JldeOptions options, List<Part> parts, int[] trainingNodes, double @Nullable [] trainingWeights) {
            this.options = options;
            this.parts = List.copyOf(parts);
            this.trainingNodes = trainingNodes;
            this.trainingWeights = trainingWeights;
        }

        /** The inverse of {@link #state}. */
        public static FittedJlde of(JldeOptions options, Map<String, NdArray> state) {
            int[] nodes = Stored.ints(state, "trainingNodes");
            List<Part> parts = new ArrayList<>();
            for (int i = 0; i < Stored.ints(state, "parts")[0]; i++) {
                parts.add(Part.load("part" + i + ".", state));
                if (parts.get(i).training.rows() != nodes.length) {
                    throw new BadModelFile("'part" + i + ".training' does not have one row per training node");
                }
            }
            double[] weights = options.energyNormalised() ? Stored.doubles(state, "trainingWeights") : null;
            return new FittedJlde(options, parts, nodes, weights);
        }

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = new LinkedHashMap<>();
            state.put("parts", NdArray.of(parts.size()));
            state.put("trainingNodes", NdArray.of(trainingNodes));
            if (trainingWeights != null) {
                state.put("trainingWeights", NdArray.of(trainingWeights));
            }
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).save("part" + i + ".", state);
            }
            return state;
        }

        public JldeOptions options() {
            return options;
        }

        /** The joint embedding of some nodes, for pictures; separate states are not joined. */
        public DenseMatrix embed(Evidence evidence, int[] nodes) {
            Part first = parts.get(0);
            return first.embedding.apply(pick(evidence.states(), first.group), nodes);
        }

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            double[] scores = new double[evidence.nodes()];
            long total = (long) parts.size() * evidence.nodes();
            AtomicLong done = new AtomicLong();
            for (Part part : parts) {
                List<DenseMatrix> states = pick(evidence.states(), part.group);
                try (NearestNeighbours neighbours = new NearestNeighbours(part.training, options.k())) {
                    int rows = neighbours.blockRows();
                    Parallel.sideBySide((scores.length + rows - 1) / rows, block -> {
                        int from = block * rows;
                        int count = Math.min(rows, scores.length - from);
                        NearestNeighbours.Found found = neighbours.search(part.embedding.apply(states, from, count));
                        for (int i = 0; i < count; i++) {
                            scores[from + i] += reduce(found, i);
                        }
                        progress.at(done.addAndGet(count), total);
                    });
                }
            }
            return scores;
        }

        private double reduce(NearestNeighbours.Found found, int query) {
            double sum = 0;
            double squares = 0;
            for (int i = query * found.k(); i < (query + 1) * found.k(); i++) {
                double weight = trainingWeights == null ? 1 : trainingWeights[found.rows()[i]];
                double distance = found.distances()[i] / weight;
                sum += distance;
                squares += distance * distance;
            }
            double mean = sum / found.k();
            return switch (options.reduction()) {
                case SQUARED_MEAN -> mean * mean;
                case SUM_OF_SQUARES -> squares;
                case MEAN -> mean;
            };
        }
    }
}
