// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A graph and what was added to it, without a copy of the graph: an addition costs as much as it adds. Immutable, so that readers
 * keep what they see while somebody adds more. {@link Growth} makes additions.
 *
 * <p>Additions lie in layers. Neighbouring layers of similar size are joined, so that there are few of them however much was added.
 */
public final class Overlay implements Neighbours {

    private final Graph base;
    private final Hearers hearers;
    private final List<OverlayLayer> layers;
    private final int nodes;
    private final long edges;

    private Overlay(Graph base, Hearers hearers, List<OverlayLayer> layers, int nodes, long edges) {
        this.base = base;
        this.hearers = hearers;
        this.layers = layers;
        this.nodes = nodes;
        this.edges = edges;
    }

    /** A graph to which nothing has been added. */
    public static Overlay on(Graph graph) {
        return new Overlay(
                graph,
                new Hearers(graph.adjacency()),
                List.of(),
                graph.nodes(),
                graph.adjacency().edges());
    }

    /** Who hears each node of the graph below; where edges go both ways, those that it hears. Found when it is first needed. */
    private static final class Hearers {

        private final Adjacency heard;
        private @Nullable Adjacency audience;

        Hearers(Adjacency heard) {
            this.heard = heard;
        }

        synchronized Adjacency audience() {
            if (audience == null) {
                audience = heard.isSymmetric() ? heard : heard.reversed();
            }
            return audience;
        }

        boolean areHeard() {
            return audience() == heard;
        }
    }

    /** The graph below. */
    public Graph base() {
        return base;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    /** Directed edges: an undirected edge counts twice. */
    public long edges() {
        return edges;
    }

    /** Edges as people count them: where all edges go both ways, each of them once. */
    public long pairs() {
        boolean goBothWays = hearers.areHeard() && layers.stream().allMatch(layer -> layer.audience() == null);
        return goBothWays ? edges / 2 : edges;
    }

    @Override
    public int degree(int node) {
        int[] row = changed(node);
        return row != null ? row.length : node < base.nodes() ? base.adjacency().degree(node) : 0;
    }

    @Override
    public void copyRow(int node, int[] into, int at) {
        int[] row = changed(node);
        if (row != null) {
            System.arraycopy(row, 0, into, at, row.length);
        } else if (node < base.nodes()) {
            base.adjacency().copyRow(node, into, at);
        }
    }

    private int @Nullable [] changed(int node) {
        for (int l = layers.size() - 1; l >= 0; l--) {
            int[] row = layers.get(l).heard().get(node);
            if (row != null) {
                return row;
            }
        }
        return null;
    }

    /** Those that hear a node, ascending. */
    private int[] audience(int node) {
        for (int l = layers.size() - 1; l >= 0; l--) {
            int[] row = layers.get(l).hearers().get(node);
            if (row != null) {
                return row;
            }
        }
        return node < base.nodes() ? hearers.audience().row(node) : new int[0];
    }

    /** The name of a node, by its number. */
    public String id(int node) {
        if (node < base.nodes()) {
            return base.ids().name(node);
        }
        OverlayLayer layer = layerOf(node);
        return layer.ids()[node - layer.first()];
    }

    /** The number of the node with this name; empty where there is none. */
    public OptionalInt find(String id) {
        OptionalInt known = base.ids().find(id);
        for (int l = 0; known.isEmpty() && l < layers.size(); l++) {
            Integer node = layers.get(l).index().get(id);
            known = node == null ? known : OptionalInt.of(node);
        }
        return known;
    }

    /** The class number of a node, or {@link Graph#UNLABELLED}, as for all nodes that were added. */
    public int label(int node) {
        return node < base.nodes() ? base.label(node) : Graph.UNLABELLED;
    }

    /** One feature of one node. */
    public float feature(int node, int column) {
        if (node < base.nodes()) {
            return base.features().get(node, column);
        }
        OverlayLayer layer = layerOf(node);
        return layer.features()[node - layer.first()][column];
    }

    /** The features of some nodes, in this order; dense or sparse as those of the graph are. */
    public Matrix features(int[] some) {
        int[] known = Arrays.stream(some).filter(node -> node < base.nodes()).toArray();
        if (known.length == some.length) {
            return base.features().select(some);
        }
        List<float[]> more = new ArrayList<>();
        int[] order = new int[some.length];
        int next = 0;
        for (int i = 0; i < some.length; i++) {
            if (some[i] < base.nodes()) {
                order[i] = next++;
            } else {
                OverlayLayer layer = layerOf(some[i]);
                order[i] = known.length + more.size();
                more.add(layer.features()[some[i] - layer.first()]);
            }
        }
        return base.features()
                .select(known)
                .above(DenseMatrix.of(more.toArray(float[][]::new)))
                .select(order);
    }

    /** The same for a network, whose features are prepared row by row. */
    public Surroundings prepared(Preprocessing preprocessing) {
        return new Surroundings(
                base.name(), base.features().columns(), this, some -> preprocessing.apply(features(some)));
    }

    private OverlayLayer layerOf(int node) {
        for (int l = layers.size() - 1; l >= 0; l--) {
            if (node >= layers.get(l).first()) {
                return layers.get(l);
            }
        }
        throw new IndexOutOfBoundsException(node);
    }

    /** More nodes behind these and more edges between any of them, in both directions unless {@code directed}. */
    Overlay plus(List<String> ids, List<float[]> features, List<String[]> newEdges, boolean directed) {
        Map<String, Integer> index = new HashMap<>();
        for (String id : ids) {
            if (find(id).isPresent()) {
                throw new BadInput("node id '" + id + "' already exists");
            }
            Integer earlier = index.putIfAbsent(id, nodes + index.size());
            if (earlier != null) {
                throw new BadInput("node id '" + id + "' is used twice among the new nodes");
            }
        }
        requireFinite(ids, features);
        Map<Integer, Set<Integer>> senders = new HashMap<>();
        Map<Integer, Set<Integer>> receivers = new HashMap<>();
        for (String[] edge : newEdges) {
            int from = number(index, edge[0]);
            int to = number(index, edge[1]);
            if (from != to) {
                add(senders, to, from);
                add(receivers, from, to);
                if (!directed) {
                    add(senders, from, to);
                    add(receivers, to, from);
                }
            }
        }
        Map<Integer, int[]> heard = new HashMap<>();
        senders.forEach((node, more) -> heard.put(node, merged(node < nodes ? row(node) : new int[0], more)));
        Map<Integer, int[]> audience = new HashMap<>();
        boolean isOneWay = directed || !hearers.areHeard();
        if (isOneWay) {
            receivers.forEach((node, more) -> audience.put(node, merged(audience(node), more)));
        }
        return with(new OverlayLayer(
                nodes,
                ids.toArray(String[]::new),
                features.toArray(float[][]::new),
                index,
                heard,
                isOneWay ? audience : null));
    }

    private static void add(Map<Integer, Set<Integer>> rows, int node, int other) {
        rows.computeIfAbsent(node, key -> new HashSet<>()).add(other);
    }

    private int number(Map<String, Integer> index, String id) {
        Integer added = index.get(id);
        return added != null
                ? added
                : find(id).orElseThrow(() -> new BadInput("an edge names node '" + id + "', which does not exist"));
    }

    private void requireFinite(List<String> ids, List<float[]> features) {
        for (int i = 0; i < features.size(); i++) {
            for (int f = 0; f < features.get(i).length; f++) {
                float value = features.get(i)[f];
                if (!Float.isFinite(value)) {
                    throw new BadInput(base.name() + ": feature " + f + " of node " + ids.get(i) + " is " + value
                            + ", but features must be finite");
                }
            }
        }
    }

    private static int[] merged(int[] row, Set<Integer> more) {
        return IntStream.concat(Arrays.stream(row), more.stream().mapToInt(node -> node))
                .sorted()
                .distinct()
                .toArray();
    }

    private Overlay with(OverlayLayer added) {
        long more = 0;
        for (Map.Entry<Integer, int[]> row : added.heard().entrySet()) {
            more += row.getValue().length - (row.getKey() < nodes ? degree(row.getKey()) : 0);
        }
        List<OverlayLayer> all = new ArrayList<>(layers);
        OverlayLayer last = added;
        while (!all.isEmpty() && 2 * last.size() >= all.get(all.size() - 1).size()) {
            last = all.remove(all.size() - 1).followedBy(last);
        }
        all.add(last);
        return new Overlay(base, hearers, List.copyOf(all), nodes + added.ids().length, edges + more);
    }

    /** The same without what two nodes send to each other. */
    public Overlay without(int first, int second) {
        Map<Integer, int[]> heard = new HashMap<>();
        Map<Integer, int[]> audience = new HashMap<>();
        for (int[] pair : new int[][] {{first, second}, {second, first}}) {
            heard.put(pair[0], without(row(pair[0]), pair[1]));
            audience.put(pair[0], without(audience(pair[0]), pair[1]));
        }
        return with(new OverlayLayer(nodes, new String[0], new float[0][], Map.of(), heard, audience));
    }

    private static int[] without(int[] row, int node) {
        return Arrays.stream(row).filter(other -> other != node).toArray();
    }

    /**
     * The nodes of an earlier overlay on the same graph that can hear, within so many rounds of messages, of what was added since:
     * a network of so many rounds may say something else about them, and says the same about all others.
     */
    public NodeSet touchedSince(Overlay earlier, int rounds) {
        BitSet reached = new BitSet();
        List<Integer> front = new ArrayList<>();
        for (int node : changedSince(earlier)) {
            reached.set(node);
            front.add(node);
        }
        for (int round = 0; round < rounds && !front.isEmpty(); round++) {
            List<Integer> next = new ArrayList<>();
            for (int node : front) {
                for (int hearer : audience(node)) {
                    if (!reached.get(hearer)) {
                        reached.set(hearer);
                        next.add(hearer);
                    }
                }
            }
            front = next;
        }
        return NodeSet.of(reached.stream().filter(node -> node < earlier.nodes).toArray());
    }

    /** Nodes whose senders are others than before. */
    private int[] changedSince(Overlay earlier) {
        Set<OverlayLayer> old = Collections.newSetFromMap(new IdentityHashMap<>());
        old.addAll(earlier.layers);
        BitSet candidates = new BitSet();
        for (OverlayLayer layer : layers) {
            if (!old.contains(layer)) {
                layer.heard().keySet().forEach(candidates::set);
            }
        }
        return candidates.stream()
                .filter(node -> node >= earlier.nodes || !Arrays.equals(row(node), earlier.row(node)))
                .toArray();
    }

    /** Everything in one graph: a copy. The splits stay those of the nodes below. */
    public Graph toGraph() {
        if (layers.isEmpty()) {
            return base;
        }
        List<String> ids = new ArrayList<>();
        List<float[]> features = new ArrayList<>();
        for (OverlayLayer layer : layers) {
            ids.addAll(Arrays.asList(layer.ids()));
            features.addAll(Arrays.asList(layer.features()));
        }
        int[] labels = Arrays.copyOf(base.labels(), nodes);
        Arrays.fill(labels, base.nodes(), nodes, Graph.UNLABELLED);
        return base.with()
                .adjacency(Adjacency.of(this))
                .features(
                        ids.isEmpty()
                                ? base.features()
                                : base.features().above(DenseMatrix.of(features.toArray(float[][]::new))))
                .labels(labels, base.classes())
                .ids(ids.isEmpty() ? base.ids() : base.ids().followedBy(ids))
                .build();
    }
}
