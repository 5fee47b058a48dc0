// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadModelFile;
import dev.nescio.progress.Progress;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Population;
import dev.nescio.uncertainty.density.JointEmbedding;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Scaling;
import dev.nescio.uncertainty.density.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What every member of the JLDE family shares: the states that are joined, how, and where the training nodes lie then.
 *
 * @param group numbers of the states, {@link #FEATURE_STATE} for the features of the nodes
 * @param training [training nodes, dimensions]
 */
public record JointStates(List<Integer> group, JointEmbedding embedding, DenseMatrix training) {

    static final Option<List<Integer>> STATES = Option.of(
            "states",
            Kind.list(new Kind<>("I", "the number of a state", Integer::valueOf, String::valueOf)),
            List.of(),
            "Hidden states to use, by number; negative numbers count from the end (default: all).");
    static final Option<Keep> COMPONENTS = Option.of(
            "components",
            new Kind<>(
                    "X",
                    "a share of variance (0.95), a number of components (16), none or auto",
                    Keep::parse,
                    Keep::text),
            new Keep.Share(0.95),
            "Principal components per state: a share of the variance, a number, none, or auto: 0.95 where a state has more than"
                    + " 128 columns, otherwise none (the default of jlde-relative).");
    static final Option<Scaling> SCALING = Option.of(
            "scaling",
            Kind.constant(Scaling.class),
            Scaling.NONE,
            "How states are weighed against each other: none, same_expected_distance or isotropic.");
    static final Option<Boolean> SEPARATE =
            Option.flag("separate", "Score each state by itself and add the scores up, instead of joining the states.");
    static final Option<Boolean> FEATURES =
            Option.flag("features", "Join the features of the nodes as one more state.");

    /** Which nodes say where the principal components lie. */
    public enum Pca {
        /** All nodes of the graph at fit time, as the paper does; what they look like is used, not their labels. */
        ALL,
        /** Those alone that nodes are compared with. */
        TRAINING
    }

    static final Option<Pca> PCA = Option.of(
            "pca",
            Kind.constant(Pca.class),
            Pca.ALL,
            "Nodes that principal components are fitted on: all of the graph at fit time, or training. New nodes never change them.");

    static final OptionGroup GROUP =
            OptionGroup.of("the joint states", STATES, COMPONENTS, SCALING, SEPARATE, FEATURES, PCA);

    /** The features of the nodes, as if they were the state before the first. */
    static final int FEATURE_STATE = -1;

    private static final int BLOCK_ROWS = 1024;

    /** Says how unlikely rows of the embedding are; used by several threads at a time. */
    interface Density extends AutoCloseable {

        /** @param itself the training row that each row is, which it is not compared with; -1 for none, empty for none at all */
        double[] score(DenseMatrix rows, int[] itself);

        @Override
        void close();
    }

    /** All chosen states in one group, or each in its own. */
    static List<JointStates> fit(Options options, Evidence evidence) {
        List<JointStates> parts = new ArrayList<>();
        for (List<Integer> group : groups(options, evidence.states().size())) {
            List<Matrix> states = pick(evidence, group);
            int[] training = evidence.training().toArray();
            JointEmbedding embedding = embedding(options, evidence, group, states);
            parts.add(new JointStates(group, embedding, embedding.apply(states, training)));
        }
        return parts;
    }

    private static JointEmbedding embedding(
            Options options, Evidence evidence, List<Integer> group, List<Matrix> states) {
        Population all = evidence.population();
        int[] training = evidence.training().toArray();
        if (options.get(PCA) == Pca.TRAINING) {
            List<Matrix> seen =
                    states.stream().map(state -> state.select(training)).toList();
            return JointEmbedding.fit(seen, options.get(COMPONENTS), options.get(SCALING));
        }
        if (all == null) {
            return JointEmbedding.fit(states, options.get(COMPONENTS), options.get(SCALING));
        }
        if (group.contains(FEATURE_STATE)) {
            throw new BadConfiguration("features as a state of a graph that is read block by block need pca=training");
        }
        List<DenseMatrix> some = group.stream().map(evidence.states()::get).toList();
        Population picked = all.map(block -> group.stream().map(block::get).toList());
        return JointEmbedding.fit(picked::forEach, some, options.get(COMPONENTS), options.get(SCALING));
    }

    /** The chosen states as numbers from 0, for a network that has so many; refuses those that it does not have. */
    static List<Integer> statesOf(Options options, int count) {
        List<Integer> states = options.get(STATES);
        return states.isEmpty()
                ? IntStream.range(0, count).boxed().toList()
                : states.stream().map(state -> number(state, count)).toList();
    }

    /** A state as a number from 0, where negative ones count from the end; refuses those that are not there. */
    static int number(int state, int count) {
        if (state < -count || state >= count) {
            throw new BadConfiguration("there is no state " + state + "; states go from 0 to " + (count - 1)
                    + ", or from -1 back to " + -count);
        }
        return Math.floorMod(state, count);
    }

    private static List<List<Integer>> groups(Options options, int count) {
        List<Integer> chosen = new ArrayList<>(statesOf(options, count));
        if (options.get(FEATURES)) {
            chosen.add(0, FEATURE_STATE);
        }
        return options.get(SEPARATE) ? chosen.stream().map(List::of).toList() : List.of(chosen);
    }

    private static List<Matrix> pick(Evidence evidence, List<Integer> group) {
        List<DenseMatrix> states = evidence.states();
        int highest = group.stream().mapToInt(Integer::intValue).max().orElse(0);
        if (highest >= states.size()) {
            throw new BadModelFile("fitted on state " + highest + ", but there are " + states.size() + " states");
        }
        return group.stream()
                .<Matrix>map(i -> i == FEATURE_STATE
                        ? evidence.requireGraph("the state of the features").features()
                        : states.get(i))
                .toList();
    }

    /** The sum over all parts of what the density of each says, by blocks of nodes side by side. */
    static double[] score(
            List<JointStates> parts, Evidence evidence, Progress progress, Function<JointStates, Density> open) {
        double[] scores = new double[evidence.nodes()];
        long total = (long) parts.size() * scores.length;
        AtomicLong done = new AtomicLong();
        for (JointStates part : parts) {
            try (Density density = open.apply(part)) {
                part.forEachBlock(evidence, (from, rows, itself) -> {
                    double[] values = density.score(rows, itself);
                    for (int i = 0; i < values.length; i++) {
                        scores[from + i] += values[i];
                    }
                    progress.at(done.addAndGet(values.length), total);
                });
            }
        }
        return scores;
    }

    /** Is told some nodes in the embedding, by several threads at a time. */
    @FunctionalInterface
    interface BlockListener {

        /** @param itself as in {@link Density#score} */
        void block(int from, DenseMatrix rows, int[] itself);
    }

    /** Tells all nodes in the embedding by blocks, side by side. */
    void forEachBlock(Evidence evidence, BlockListener listener) {
        List<Matrix> states = pick(evidence, group);
        int nodes = evidence.nodes();
        Parallel.sideBySide((nodes + BLOCK_ROWS - 1) / BLOCK_ROWS, block -> {
            int from = block * BLOCK_ROWS;
            int count = Math.min(BLOCK_ROWS, nodes - from);
            int[] itself = evidence.places().length == 0
                    ? evidence.places()
                    : Arrays.copyOfRange(evidence.places(), from, from + count);
            listener.block(from, embedding.apply(states, from, count), itself);
        });
    }

    /** The same with some rows of training nodes alone. */
    JointStates part(int from, int to) {
        return new JointStates(
                group, embedding, training.select(IntStream.range(from, to).toArray()));
    }

    static long trainingBytes(List<JointStates> parts) {
        return parts.stream()
                .mapToLong(part -> Float.BYTES * (long) part.training.rows() * part.training.columns())
                .sum();
    }

    /** Some nodes in the embedding: [nodes, dimensions]. */
    DenseMatrix embed(Evidence evidence, int... nodes) {
        return embedding.apply(pick(evidence, group), nodes);
    }

    /**
     * Adds an amount to the states in proportion to their part of the squared distance between a row and a training row.
     */
    void share(DenseMatrix row, int trainingRow, double amount, Map<Integer, Double> perState) {
        double[] squared = new double[group.size()];
        double total = 0;
        int dimension = 0;
        for (int s = 0; s < squared.length; s++) {
            for (int end = dimension + embedding.maps().get(s).dimensions(); dimension < end; dimension++) {
                double difference = (double) row.get(0, dimension) - training.get(trainingRow, dimension);
                squared[s] += difference * difference;
            }
            total += squared[s];
        }
        for (int s = 0; s < squared.length && total > 0; s++) {
            perState.merge(group.get(s), amount * squared[s] / total, Double::sum);
        }
    }

    static Map<String, NdArray> save(List<JointStates> parts, int[] trainingNodes) {
        Map<String, NdArray> state = new LinkedHashMap<>();
        state.put("parts", NdArray.of(parts.size()));
        state.put("trainingNodes", NdArray.of(trainingNodes));
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).save("part" + i + ".", state);
        }
        return state;
    }

    private void save(String prefix, Map<String, NdArray> state) {
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

    /** The inverse of {@link #save}. */
    static List<JointStates> load(Map<String, NdArray> state) {
        int rows = StoredState.ints(state, "trainingNodes").length;
        int count = StoredState.single(state, "parts");
        List<JointStates> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(load("part" + i + ".", state));
            if (parts.get(i).training.rows() != rows) {
                throw new BadModelFile("'part" + i + ".training' does not have one row per training node");
            }
        }
        return parts;
    }

    private static JointStates load(String prefix, Map<String, NdArray> state) {
        int[] group = StoredState.ints(state, prefix + "states");
        List<StateMap> maps = new ArrayList<>();
        for (int i = 0; i < group.length; i++) {
            if (group[i] < FEATURE_STATE) {
                throw new BadModelFile("'" + prefix + "states' holds " + group[i]);
            }
            maps.add(map(prefix + "state" + i + ".", state));
        }
        JointEmbedding embedding = new JointEmbedding(maps);
        DenseMatrix training = StoredState.matrix(state, prefix + "training");
        if (training.columns() != embedding.dimensions()) {
            throw new BadModelFile("'" + prefix + "training' has " + training.columns() + " columns, its states have "
                    + embedding.dimensions());
        }
        return new JointStates(IntStream.of(group).boxed().toList(), embedding, training);
    }

    private static StateMap map(String name, Map<String, NdArray> state) {
        float[] mean = StoredState.floats(state, name + "mean");
        float[] scale = StoredState.floats(state, name + "scale");
        DenseMatrix components =
                state.containsKey(name + "components") ? StoredState.matrix(state, name + "components") : null;
        int columns = components == null ? mean.length : components.columns();
        if (columns != scale.length || (components != null && components.rows() != mean.length)) {
            throw new BadModelFile("the shapes of '" + name + "*' do not fit together");
        }
        return new StateMap(mean, components, scale);
    }
}
