// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An attributed graph. Immutable and checked when built: every edge joins nodes that exist, every feature is finite,
 * every label is a class or {@link #UNLABELLED}.
 */
public final class Graph {

    /** The label of a node whose class is not known. */
    public static final int UNLABELLED = -1;

    private final String name;
    private final Adjacency adjacency;
    private final Adjacency.Notes notes;
    private final Matrix features;
    private final int[] labels;
    private final List<String> classes;
    private final NodeIds ids;
    private final Map<String, Split> splits;
    private final @Nullable TableSchema schema;

    /** The same nodes without edges, once somebody has asked for them. */
    private volatile @Nullable Graph alone;

    private Graph(Builder b) {
        this.name = b.name;
        this.adjacency = b.adjacency;
        this.notes = b.notes;
        this.features = b.features;
        this.labels = b.labels;
        this.classes = b.classes;
        this.ids = b.ids;
        this.splits = Collections.unmodifiableMap(new LinkedHashMap<>(b.splits));
        this.schema = b.schema;
        check();
    }

    private void check() {
        int nodes = adjacency.nodes();
        if (nodes == 0) {
            throw new BadInput(name + ": the graph has no nodes");
        }
        if (new HashSet<>(classes).size() < classes.size()) {
            throw new BadInput(name + ": a class name is used twice among " + String.join(", ", classes));
        }
        checkSize("feature rows", features.rows(), nodes);
        checkSize("labels", labels.length, nodes);
        checkSize("node ids", ids.size(), nodes);
        if (schema != null && schema.width() != features.columns()) {
            throw new BadInput(
                    name + ": the columns make " + schema.width() + " features, but there are " + features.columns());
        }
        Matrix.Entry entry = features.firstNotFinite();
        if (entry != null) {
            throw new BadInput(name + ": feature " + entry.column() + " of node " + ids.name(entry.row()) + " is "
                    + entry.value() + ", but features must be finite");
        }
        for (int i = 0; i < nodes; i++) {
            if (labels[i] < UNLABELLED || labels[i] >= classes.size()) {
                throw new BadInput(name + ": node " + ids.name(i) + " has label " + labels[i]
                        + ", but labels go from 0 to " + (classes.size() - 1) + " (" + UNLABELLED + " = unknown)");
            }
        }
        for (Split split : splits.values()) {
            if (split.bound() > nodes) {
                throw new BadInput(name + ": split '" + split.name() + "' names node " + (split.bound() - 1)
                        + ", but node numbers go from 0 to " + (nodes - 1));
            }
        }
    }

    private void checkSize(String what, int size, int nodes) {
        if (size != nodes) {
            throw new BadInput(name + ": there are " + nodes + " nodes, but " + size + " " + what);
        }
    }

    /**
     * Begins a graph with these edges; without further parts it has no features, no labels and no splits. Messages call the graph
     * by {@code name}; its nodes are called 0, 1, 2, ...
     *
     * <pre>{@code
     * Adjacency.Built edges = Adjacency.undirected(3, new int[] {0, 1}, new int[] {1, 2});
     * Graph graph = Graph.builder("tiny", edges.adjacency())
     *         .features(DenseMatrix.of(new float[][] {{1, 0}, {0, 1}, {1, 1}}))
     *         .labels(new int[] {0, 1, Graph.UNLABELLED}, List.of("good", "bad"))
     *         .build();
     * }</pre>
     */
    public static Builder builder(String name, Adjacency adjacency) {
        return new Builder(name, adjacency);
    }

    /** A builder that starts from this graph. */
    public Builder with() {
        Builder b = new Builder(name, adjacency);
        b.notes = notes;
        b.features = features;
        b.labels = labels;
        b.classes = classes;
        b.ids = ids;
        b.splits.putAll(splits);
        b.schema = schema;
        return b;
    }

    /** What messages and outputs call the graph. */
    public String name() {
        return name;
    }

    /** The number of nodes, at least 1; node numbers go from 0 to {@code nodes() - 1}. */
    public int nodes() {
        return adjacency.nodes();
    }

    /** The edges, as who hears from whom. */
    public Adjacency adjacency() {
        return adjacency;
    }

    /** What was dropped or added when the edges were built; {@link Adjacency.Notes#NONE} where nobody said. */
    public Adjacency.Notes notes() {
        return notes;
    }

    /** [nodes, features] */
    public Matrix features() {
        return features;
    }

    /** The class number of every node, {@link #UNLABELLED} where it is not known; a copy. */
    public int[] labels() {
        return labels.clone();
    }

    /** The class number of one node, or {@link #UNLABELLED}. */
    public int label(int node) {
        return labels[node];
    }

    /** The names of the classes, by class number; empty where the graph has no labels. Unmodifiable. */
    public List<String> classes() {
        return classes;
    }

    /** What the nodes are called outside; their numbers where nobody named them. */
    public NodeIds ids() {
        return ids;
    }

    /** The splits that came with the graph, by name, in their order; often none. Unmodifiable. */
    public Map<String, Split> splits() {
        return splits;
    }

    /** A split that came with the graph, by its name; refuses other names. {@code SplitRules.choose} also draws new ones. */
    public Split split(String splitName) {
        Split split = splits.get(splitName);
        if (split == null) {
            throw new BadConfiguration(name + " has no split '" + splitName + "'; it has "
                    + (splits.isEmpty() ? "none" : String.join(", ", splits.keySet())));
        }
        return split;
    }

    /** How it was read from tables; null where it was not. */
    public @Nullable TableSchema schema() {
        return schema;
    }

    /** What the features are called, by number where they have no names. */
    public List<String> featureNames() {
        return schema == null
                ? IntStream.range(0, features.columns())
                        .mapToObj(i -> "feature " + i)
                        .toList()
                : schema.featureNames();
    }

    /** Some nodes with their features, labels and ids, and no edges or splits. */
    public Graph alone(NodeSet nodes) {
        int[] chosen = nodes.toArray();
        Builder b = new Builder(name, Adjacency.empty(chosen.length));
        b.features = features.select(chosen);
        b.labels = nodes.stream().map(v -> labels[v]).toArray();
        b.classes = classes;
        b.ids = NodeIds.named(nodes.stream().mapToObj(ids::name).toList());
        b.schema = schema;
        return b.build();
    }

    /** The same nodes and no edges: the same object whenever it is asked for, so that what was made of it can be kept. */
    public Graph withoutEdges() {
        Graph known = alone;
        if (known == null) {
            Builder b = with();
            b.adjacency = Adjacency.empty(nodes());
            known = b.build();
            alone = known;
        }
        return known;
    }

    /** Collects the parts of a graph; all but edges are optional. */
    public static final class Builder {

        private final String name;
        private Adjacency adjacency;
        private Adjacency.Notes notes = Adjacency.Notes.NONE;
        private Matrix features;
        private int[] labels;
        private List<String> classes = List.of();
        private NodeIds ids;
        private final Map<String, Split> splits = new LinkedHashMap<>();
        private @Nullable TableSchema schema;

        private Builder(String name, Adjacency adjacency) {
            this.name = name;
            this.adjacency = adjacency;
            this.features = DenseMatrix.of(adjacency.nodes(), 0, new float[0]);
            this.labels = new int[adjacency.nodes()];
            Arrays.fill(labels, UNLABELLED);
            this.ids = NodeIds.numbered(adjacency.nodes());
        }

        /** What was dropped or added when the edges were built, from {@link Adjacency.Built}; nothing by default. */
        public Builder notes(Adjacency.Notes value) {
            this.notes = value;
            return this;
        }

        /** Other edges between the same nodes. */
        public Builder adjacency(Adjacency value) {
            this.adjacency = value;
            return this;
        }

        /** The features, [nodes, features], all of them finite; by default there are none. The matrix is not copied. */
        public Builder features(Matrix value) {
            this.features = value;
            return this;
        }

        /**
         * One class number per node, {@link Graph#UNLABELLED} where it is not known, and the name of each class. Both are copied;
         * no name may be used twice.
         */
        public Builder labels(int[] value, List<String> classNames) {
            this.labels = value.clone();
            this.classes = List.copyOf(classNames);
            return this;
        }

        /** Classes that are called by their numbers. */
        public Builder labels(int[] value, int classCount) {
            List<String> names = new ArrayList<>();
            IntStream.range(0, classCount).forEach(c -> names.add(Integer.toString(c)));
            return labels(value, names);
        }

        /** What the nodes are called outside, one id per node; by default their numbers. */
        public Builder ids(NodeIds value) {
            this.ids = value;
            return this;
        }

        /** Adds a split, in place of one with the same name; it may name only nodes of the graph. */
        public Builder split(Split value) {
            splits.put(value.name(), value);
            return this;
        }

        /** How tables became these features; it must make as many of them as there are columns. */
        public Builder schema(TableSchema value) {
            this.schema = value;
            return this;
        }

        /**
         * Makes the graph. Refuses parts of different sizes, features that are not finite, labels without a class, and splits of
         * unknown nodes.
         */
        public Graph build() {
            return new Graph(this);
        }
    }
}
