// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.metric.Spread;
import dev.nescio.model.Forward;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Pca;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What one hidden state of a network says about the labels of some nodes, in bits.
 *
 * @param state its name; {@code joint} for all of them side by side, {@code control} for the last one beside shuffled rows of
 *     the others: as wide as the joint one, and as wise as the last
 * @param nodes training, validation or test
 * @param bits by {@link Ross}
 * @param baseline what the same estimator gives for shuffled labels: should cover 0
 * @param probe bits that a linear classifier can use, see {@link Probe}; NaN but for test nodes
 * @param probeBaseline the same for shuffled labels: should cover 0
 * @param entropy of the labels: no state can say more
 * @param warnings what makes the number doubtful
 */
public record LayerInformation(
        String state,
        String nodes,
        double bits,
        Spread baseline,
        double probe,
        Spread probeBaseline,
        double entropy,
        int samples,
        int dimensions,
        List<String> warnings) {

    private static final String JOINT = "joint";
    private static final String CONTROL = "control";

    /**
     * @param k neighbours of the same label
     * @param dimensions principal components that every state is reduced to
     * @param permutations shuffled labellings
     */
    public record Options(int k, int dimensions, int permutations, long seed) {

        /** Refuses {@code k} or {@code dimensions} below 1, and fewer than 2 permutations. */
        public Options {
            if (k < 1 || dimensions < 1 || permutations < 2) {
                throw new BadConfiguration("k and dimensions must be at least 1 and permutations at least 2, got " + k
                        + ", " + dimensions + " and " + permutations);
            }
        }

        /** 5 neighbours, 10 principal components, 10 permutations, seed 0. */
        public static Options defaults() {
            return new Options(5, 10, 10, 0);
        }
    }

    private static final double[] NO_PROBE = {Double.NaN};
    private static final int MOST_PROBES = 3;

    /** Labels of other nodes; nodes without one keep none. */
    private static int[] shuffled(int[] labels, int number, Options options) {
        int[] nodes =
                IntStream.range(0, labels.length).filter(v -> labels[v] >= 0).toArray();
        int[] order = nodes.clone();
        new Seed(options.seed).split("probe").split(number).rng().shuffle(order);
        int[] other = labels.clone();
        for (int i = 0; i < nodes.length; i++) {
            other[nodes[i]] = labels[order[i]];
        }
        return other;
    }

    /** All states on training, validation and test nodes; nodes whose label is negative do not count. */
    public static List<LayerInformation> of(Forward forward, int[] labels, Split split, Options options) {
        List<LayerInformation> all = new ArrayList<>();
        for (State state : states(forward, options)) {
            int classes = forward.logits().columns();
            double[] linear = new double[1 + Math.min(MOST_PROBES, options.permutations)];
            Arrays.setAll(linear, p -> probe(state, p == 0 ? labels : shuffled(labels, p, options), split, classes));
            all.add(of(state, "training", labelled(split.train(), labels), labels, NO_PROBE, options));
            all.add(of(state, "validation", labelled(split.validation(), labels), labels, NO_PROBE, options));
            all.add(of(state, "test", labelled(split.test(), labels), labels, linear, options));
        }
        return all;
    }

    /**
     * What two states say about each other, in bits.
     *
     * @param bits by {@link Ksg}, of a few principal components with noise added: one state is a function of what the other is
     *     a function of, so that without noise the truth could be infinite
     * @param baseline the same with the rows of one of them shuffled: should cover 0
     */
    public record Pair(String first, String second, double bits, Spread baseline, int samples) {}

    private static final int PAIR_DIMENSIONS = 3;
    /** Standard deviation of the noise, in those of the columns. */
    private static final double PAIR_NOISE = 0.1;

    private static final int MOST_PAIR_SAMPLES = 3000;

    /** Every pair of states on test nodes, at most some thousands of them. */
    public static List<Pair> pairs(Forward forward, Split split, Options options) {
        int[] rows = split.test().toArray();
        new Seed(options.seed).split("pairs").rng().shuffle(rows);
        int[] chosen = Arrays.copyOf(rows, Math.min(rows.length, MOST_PAIR_SAMPLES));
        List<State> states = new ArrayList<>();
        forward.states()
                .forEach(s -> states.add(new State(
                        s.name(),
                        noisy(
                                reduced(s.values(), PAIR_DIMENSIONS).select(chosen),
                                new Seed(options.seed).split(s.name()).rng()))));
        List<Pair> pairs = new ArrayList<>();
        Ksg ksg = new Ksg(options.k);
        for (int i = 0; i < states.size(); i++) {
            for (int j = i + 1; j < states.size(); j++) {
                State second = states.get(j);
                DenseMatrix first = states.get(i).values;
                double[] shuffled = new double[Math.min(3, options.permutations)];
                for (int p = 0; p < shuffled.length; p++) {
                    int[] order = new int[chosen.length];
                    Arrays.setAll(order, v -> v);
                    new Seed(options.seed).split("pair baseline").split(p).rng().shuffle(order);
                    shuffled[p] = ksg.estimate(first, second.values.select(order));
                }
                pairs.add(new Pair(
                        states.get(i).name,
                        second.name,
                        ksg.estimate(first, second.values),
                        Spread.of(DoubleStream.of(shuffled)),
                        chosen.length));
            }
        }
        return pairs;
    }

    private static DenseMatrix noisy(DenseMatrix values, Rng rng) {
        float[] moved = values.values().clone();
        int columns = values.columns();
        for (int j = 0; j < columns; j++) {
            int column = j;
            double deviation = Spread.of(IntStream.range(0, values.rows()).mapToDouble(i -> values.get(i, column)))
                    .std();
            for (int i = 0; i < values.rows(); i++) {
                moved[i * columns + j] += (float) (PAIR_NOISE * deviation * rng.nextGaussian());
            }
        }
        return DenseMatrix.of(values.rows(), columns, moved);
    }

    private record State(String name, DenseMatrix values) {}

    /** Every state, all of them, and the control; each by as many principal components. */
    private static List<State> states(Forward forward, Options options) {
        List<State> states = new ArrayList<>();
        forward.states().forEach(s -> states.add(new State(s.name(), s.values())));
        List<DenseMatrix> parts = forward.matrices();
        states.add(new State(JOINT, besides(parts)));
        List<DenseMatrix> shuffled = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            boolean isLast = i == parts.size() - 1;
            int[] order = new int[parts.get(i).rows()];
            Arrays.setAll(order, v -> v);
            if (!isLast) {
                new Seed(options.seed).split("control").split(i).rng().shuffle(order);
            }
            shuffled.add(parts.get(i).select(order));
        }
        states.add(new State(CONTROL, besides(shuffled)));
        return states.stream()
                .map(s -> new State(s.name, reduced(s.values, options.dimensions)))
                .toList();
    }

    private static DenseMatrix besides(List<DenseMatrix> parts) {
        int rows = parts.get(0).rows();
        int width = parts.stream().mapToInt(DenseMatrix::columns).sum();
        float[] values = new float[rows * width];
        int begin = 0;
        for (DenseMatrix part : parts) {
            for (int i = 0; i < rows; i++) {
                System.arraycopy(part.values(), i * part.columns(), values, i * width + begin, part.columns());
            }
            begin += part.columns();
        }
        return DenseMatrix.of(rows, width, values);
    }

    private static DenseMatrix reduced(DenseMatrix values, int dimensions) {
        if (values.columns() <= dimensions) {
            return values;
        }
        Pca pca = Pca.fit(values, new Keep.Count(dimensions));
        int kept = pca.components().columns();
        float[] projected = new float[values.rows() * kept];
        for (int i = 0; i < values.rows(); i++) {
            for (int j = 0; j < values.columns(); j++) {
                float centred = values.get(i, j) - pca.mean()[j];
                for (int c = 0; c < kept; c++) {
                    projected[i * kept + c] += centred * pca.components().get(j, c);
                }
            }
        }
        return DenseMatrix.of(values.rows(), kept, projected);
    }

    private static NodeSet labelled(NodeSet nodes, int[] labels) {
        return nodes.filter(v -> labels[v] >= 0);
    }

    private static LayerInformation of(
            State state, String nodes, NodeSet chosen, int[] labels, double[] probes, Options options) {
        int[] rows = chosen.toArray();
        int[][] labellings = new int[options.permutations + 1][];
        labellings[0] = Arrays.stream(rows).map(v -> labels[v]).toArray();
        for (int p = 1; p < labellings.length; p++) {
            labellings[p] = labellings[0].clone();
            Rng rng = new Seed(options.seed).split("permutation").split(p).rng();
            rng.shuffle(labellings[p]);
        }
        double[] bits = new Ross(options.k).estimate(state.values.select(rows), labellings);
        double entropy = entropy(labellings[0]);
        return new LayerInformation(
                state.name,
                nodes,
                bits[0],
                Spread.of(DoubleStream.of(bits).skip(1)),
                probes[0],
                Spread.of(DoubleStream.of(probes).skip(1)),
                entropy,
                rows.length,
                state.values.columns(),
                warnings(bits[0], entropy, labellings[0], state.values.columns(), options));
    }

    /** Learns from one half of the validation nodes and chooses by the other: states have memorised training labels. */
    private static double probe(State state, int[] labels, Split split, int classes) {
        int[] nodes = labelled(split.validation(), labels).toArray();
        new Rng(0).shuffle(nodes);
        NodeSet half = NodeSet.of(Arrays.copyOf(nodes, nodes.length / 2));
        NodeSet rest = NodeSet.of(Arrays.copyOfRange(nodes, nodes.length / 2, nodes.length));
        return Probe.estimate(
                sample(state, half, labels),
                sample(state, rest, labels),
                sample(state, labelled(split.test(), labels), labels),
                classes);
    }

    private static Probe.Sample sample(State state, NodeSet nodes, int[] labels) {
        int[] rows = nodes.toArray();
        return new Probe.Sample(
                state.values.select(rows),
                Arrays.stream(rows).map(v -> labels[v]).toArray());
    }

    static double entropy(int[] labels) {
        double[] counts = new double[Arrays.stream(labels).max().orElse(0) + 1];
        Arrays.stream(labels).forEach(label -> counts[label]++);
        double entropy = 0;
        for (double count : counts) {
            double p = count / labels.length;
            entropy -= p == 0 ? 0 : p * Math.log(p) / Math.log(2);
        }
        return entropy;
    }

    private static List<String> warnings(double bits, double entropy, int[] labels, int dimensions, Options options) {
        List<String> warnings = new ArrayList<>();
        if (bits > 0.95 * entropy) {
            warnings.add("close to the entropy of the labels, its upper limit");
        }
        int[] counts = new int[Arrays.stream(labels).max().orElse(0) + 1];
        Arrays.stream(labels).forEach(label -> counts[label]++);
        int smallest = Arrays.stream(counts).filter(c -> c > 0).min().orElse(0);
        if (smallest <= 4 * options.k) {
            warnings.add("a class has only " + smallest + " nodes");
        }
        if (dimensions > 2 * Math.log(labels.length)) {
            warnings.add(dimensions + " dimensions are many for " + labels.length + " nodes: probably too low");
        }
        return warnings;
    }
}
