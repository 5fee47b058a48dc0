// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Seed;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.StoredState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was learned from a graph without labels, to tell how surprising its nodes and later ones are. Four numbers per node, larger is
 * more surprising:
 *
 * <ul>
 *   <li><b>features</b>: the distance of its features from those of 256 nodes, the nearest half of them;
 *   <li><b>place in the graph</b>: the same of its degree and its triangles, the nearest quarter;
 *   <li><b>surroundings</b>: how sure a small network is that the node does not belong where it is. It learns to tell nodes in their
 *       own surroundings (the mean of the neighbours, and of theirs) from other nodes in the same;
 *   <li><b>edges</b>: how sure another one is, on average, that its edges are not edges. It learns to tell edges from their ends
 *       joined otherwise.
 * </ul>
 *
 * Both networks learn what usually goes together, alike or not, so heterophilic graphs are no exception. Every node is judged by a
 * network that has not learned from it. Immutable, on the heap, safe to share between threads.
 *
 * <pre>{@code
 * Surprises surprises = Surprises.fit(graph, 0);
 * Evidence evidence = surprises.of(graph); // four states, one column each
 * }</pre>
 */
public final class Surprises {

    /** What the four states are about, in their order. */
    public static final List<String> NAMES = List.of("features", "place in the graph", "surroundings", "edges");

    /** Fewer nodes than this cannot tell what is usual. */
    public static final int FEWEST_NODES = 30;

    private static final double NEAR_FEATURES = 0.5;
    private static final double NEAR_PLACES = 0.25;

    private final Seed seed;
    private final OwnState own;
    private final Place place;
    private final References features;
    private final References places;
    private final List<String> referenceIds;
    private final PairNetworks surroundings;
    private final PairNetworks edges;
    private final double[] usual;

    /** @param usual the mean surprise of surroundings, and of edges */
    private Surprises(
            Seed seed,
            OwnState own,
            Place place,
            References features,
            References places,
            List<String> referenceIds,
            PairNetworks surroundings,
            PairNetworks edges,
            double[] usual) {
        this.seed = seed;
        this.own = own;
        this.place = place;
        this.features = features;
        this.places = places;
        this.referenceIds = List.copyOf(referenceIds);
        this.surroundings = surroundings;
        this.edges = edges;
        this.usual = usual;
    }

    /** Degree and triangles, as standardised logarithms. */
    private record Place(Standard degree, Standard triangles) {

        static Place fit(Adjacency graph) {
            return new Place(
                    Standard.of(
                            logs(Arrays.stream(graph.degrees()).asLongStream().toArray())),
                    Standard.of(logs(Triangles.of(graph))));
        }

        private static double[] logs(long[] counts) {
            return Arrays.stream(counts)
                    .mapToDouble(count -> Math.log1p((double) count))
                    .toArray();
        }

        /** [nodes, 2]. */
        DenseMatrix of(Adjacency graph) {
            long[] counts = Triangles.of(graph);
            float[] values = new float[2 * counts.length];
            for (int v = 0; v < counts.length; v++) {
                values[2 * v] = (float) degree.apply(Math.log1p(graph.degree(v)));
                values[2 * v + 1] = (float) triangles.apply(Math.log1p((double) counts[v]));
            }
            return DenseMatrix.of(counts.length, 2, values);
        }
    }

    /** Learns from all nodes of a graph, whose labels it does not look at; refuses a graph with few nodes or without features. */
    public static Surprises fit(Graph graph, long seed) {
        if (graph.nodes() < FEWEST_NODES) {
            throw new BadInput(graph.name() + " has " + graph.nodes() + " nodes; at least " + FEWEST_NODES
                    + " are needed to tell what is usual");
        }
        if (graph.features().columns() == 0) {
            throw new BadInput(graph.name() + " has no features");
        }
        Seed root = new Seed(seed).split("surprises");
        OwnState own = OwnState.fit(graph.features());
        Place place = Place.fit(graph.adjacency());
        DenseMatrix reduced = own.reduced(graph.features());
        DenseMatrix direction = own.directionAndLength(reduced);
        int[] reference = references(graph.nodes(), root);
        Surprises untaught = new Surprises(
                root,
                own,
                place,
                new References(reduced.select(reference), NEAR_FEATURES),
                new References(place.of(graph.adjacency()).select(reference), NEAR_PLACES),
                Arrays.stream(reference).mapToObj(graph.ids()::name).toList(),
                new PairNetworks(List.of()),
                new PairNetworks(List.of()),
                new double[] {0, 0});
        return untaught.taught(graph, direction);
    }

    private static int[] references(int nodes, Seed seed) {
        int[] all = NodeSet.all(nodes).toArray();
        seed.split("references").rng().shuffle(all);
        int[] chosen = Arrays.copyOf(all, Math.min(nodes, References.MOST));
        Arrays.sort(chosen);
        return chosen;
    }

    private Surprises taught(Graph graph, DenseMatrix direction) {
        if (graph.adjacency().edges() == 0) {
            return this;
        }
        DenseMatrix around = Surroundings.of(graph.adjacency(), direction, place.degree);
        int[] nodeFold = folds(graph.ids(), SurroundingsNetwork.FOLDS);
        PairNetworks newSurroundings = PairNetworks.train(
                SurroundingsNetwork.FOLDS,
                seed.split("surroundings"),
                SurroundingsNetwork.RATE,
                weights -> new SurroundingsNetwork(weights, direction.columns(), around.columns()),
                k -> SurroundingsNetwork.batches(
                        direction,
                        around,
                        NodeSet.where(
                                graph.nodes(),
                                v -> nodeFold[v] != k && graph.adjacency().degree(v) > 0)));
        int[] edgeFold = folds(graph.ids(), EdgeNetwork.FOLDS);
        PairNetworks newEdges = PairNetworks.train(
                EdgeNetwork.FOLDS,
                seed.split("edges"),
                EdgeNetwork.RATE,
                weights -> new EdgeNetwork(weights, direction.columns()),
                k -> edgeBatches(graph.adjacency(), direction, edgeFold, k));
        Surprises taught = new Surprises(
                seed, own, place, features, places, referenceIds, newSurroundings, newEdges, new double[] {0, 0});
        return taught.withUsual(graph, direction);
    }

    /** Where all edges touch a fold, all of them teach: the graph is tiny, or one node is part of every edge. */
    private static PairNetworks.Batches<EdgeNetwork> edgeBatches(
            Adjacency graph, DenseMatrix direction, int[] fold, int left) {
        int[] to = graph.rowOfEntry();
        int[] from = graph.neighbours();
        int[] kept = new int[to.length];
        int count = 0;
        for (int e = 0; e < to.length; e++) {
            if (fold[to[e]] != left && fold[from[e]] != left) {
                kept[count++] = e;
            }
        }
        int[] chosen = count == 0 ? NodeSet.all(to.length).toArray() : Arrays.copyOf(kept, count);
        return EdgeNetwork.batches(
                direction,
                Arrays.stream(chosen).map(e -> from[e]).toArray(),
                Arrays.stream(chosen).map(e -> to[e]).toArray());
    }

    private Surprises withUsual(Graph graph, DenseMatrix direction) {
        float[] around = bySurroundings(graph, direction);
        double[] sums = edgeSums(graph, direction);
        double mean = 0;
        int joined = 0;
        for (int v = 0; v < around.length; v++) {
            boolean isJoined = graph.adjacency().degree(v) > 0;
            mean += isJoined ? around[v] : 0;
            joined += isJoined ? 1 : 0;
        }
        double total = Arrays.stream(sums).sum();
        return new Surprises(seed, own, place, features, places, referenceIds, surroundings, edges, new double[] {
            mean / joined, total / graph.adjacency().edges()
        });
    }

    private int[] folds(NodeIds ids, int count) {
        Seed folds = seed.split("folds");
        int[] all = new int[ids.size()];
        for (int v = 0; v < all.length; v++) {
            all[v] = PairNetworks.fold(folds, ids.name(v), count);
        }
        return all;
    }

    /** The four surprises of every node, as four states of one column each. */
    public Evidence of(Graph graph) {
        if (graph.features().columns() != own.mean().length) {
            throw new BadInput(graph.name() + " has " + graph.features().columns() + " features per node, but "
                    + own.mean().length + " were learned from");
        }
        DenseMatrix reduced = own.reduced(graph.features());
        DenseMatrix direction = own.directionAndLength(reduced);
        int[] itself = places(graph.ids());
        return Evidence.of(
                List.of(
                        column(features.distances(reduced, itself)),
                        column(places.distances(place.of(graph.adjacency()), itself)),
                        column(bySurroundings(graph, direction)),
                        column(byEdges(graph, direction))),
                NodeSet.of());
    }

    private static DenseMatrix column(float[] values) {
        return DenseMatrix.of(values.length, 1, values);
    }

    private int[] places(NodeIds ids) {
        int[] places = new int[ids.size()];
        Arrays.fill(places, -1);
        for (int r = 0; r < referenceIds.size(); r++) {
            int number = r;
            ids.find(referenceIds.get(r)).ifPresent(v -> places[v] = number);
        }
        return places;
    }

    /** A node without neighbours is as surprising as the mean. */
    private float[] bySurroundings(Graph graph, DenseMatrix direction) {
        float[] surprises = new float[graph.nodes()];
        Arrays.fill(surprises, (float) usual[0]);
        if (surroundings.folds().isEmpty()) {
            return surprises;
        }
        DenseMatrix around = Surroundings.of(graph.adjacency(), direction, place.degree);
        int[] fold = folds(graph.ids(), SurroundingsNetwork.FOLDS);
        for (int k = 0; k < SurroundingsNetwork.FOLDS; k++) {
            int left = k;
            int[] nodes = NodeSet.where(
                            graph.nodes(),
                            v -> fold[v] == left && graph.adjacency().degree(v) > 0)
                    .toArray();
            SurroundingsNetwork.surprise(surroundings.folds().get(k), direction, around, nodes, surprises);
        }
        return surprises;
    }

    /** The mean over the edges of a node and one usual edge, so that a node with few edges is not judged by chance. */
    private float[] byEdges(Graph graph, DenseMatrix direction) {
        double[] sums = edgeSums(graph, direction);
        float[] surprises = new float[sums.length];
        for (int v = 0; v < sums.length; v++) {
            surprises[v] = (float) ((sums[v] + usual[1]) / (graph.adjacency().degree(v) + 1));
        }
        return surprises;
    }

    private double[] edgeSums(Graph graph, DenseMatrix direction) {
        double[] sums = new double[graph.nodes()];
        if (edges.folds().isEmpty()) {
            return sums;
        }
        int[] fold = folds(graph.ids(), EdgeNetwork.FOLDS);
        for (int k = 0; k < EdgeNetwork.FOLDS; k++) {
            int left = k;
            DenseMatrix vectors = EdgeNetwork.vectors(edges.folds().get(k), direction);
            EdgeNetwork.surprise(
                    graph.adjacency(),
                    vectors,
                    NodeSet.where(graph.nodes(), v -> fold[v] == left).toArray(),
                    sums);
        }
        return sums;
    }

    /** Everything but the ids of references, for a file. */
    public Map<String, NdArray> state() {
        Map<String, NdArray> state = new LinkedHashMap<>();
        state.put("seed", NdArray.of((int) (seed.value() >>> 32), (int) seed.value()));
        state.put("taught", NdArray.of(surroundings.folds().isEmpty() ? 0 : 1));
        state.put("usual", NdArray.of(usual));
        state.put("place", NdArray.of(new double[] {
            place.degree.mean(), place.degree.deviation(), place.triangles.mean(), place.triangles.deviation()
        }));
        own.save(state);
        features.save("features", state);
        places.save("places", state);
        surroundings.save("surroundings", state);
        edges.save("edges", state);
        return state;
    }

    /** Ids of the nodes that others are compared with. */
    public List<String> referenceIds() {
        return referenceIds;
    }

    /** The inverse of {@link #state} and {@link #referenceIds}. */
    public static Surprises load(Map<String, NdArray> state, List<String> referenceIds) {
        int[] seed = StoredState.ints(state, "seed");
        double[] usual = StoredState.doubles(state, "usual");
        double[] place = StoredState.doubles(state, "place");
        int[] taught = StoredState.ints(state, "taught");
        StoredState.require(
                seed.length == 2
                        && usual.length == 2
                        && taught.length == 1
                        && place.length == 4
                        && place[1] > 0
                        && place[3] > 0,
                "'seed', 'usual', 'taught' or 'place' have other lengths or values than they should");
        OwnState own = OwnState.load(state);
        References features = References.load("features", state);
        References places = References.load("places", state);
        StoredState.require(
                features.rows().columns() == own.components().columns()
                        && places.rows().columns() == 2
                        && features.rows().rows() == referenceIds.size()
                        && places.rows().rows() == referenceIds.size(),
                "the references do not fit the components or their ids");
        boolean isTaught = taught[0] == 1;
        Surprises surprises = new Surprises(
                new Seed(((long) seed[0] << 32) | (seed[1] & 0xFFFFFFFFL)),
                own,
                new Place(new Standard(place[0], place[1]), new Standard(place[2], place[3])),
                features,
                places,
                new ArrayList<>(referenceIds),
                PairNetworks.load("surroundings", isTaught ? SurroundingsNetwork.FOLDS : 0, state),
                PairNetworks.load("edges", isTaught ? EdgeNetwork.FOLDS : 0, state),
                usual);
        surprises.requireParameters();
        return surprises;
    }

    /** Builds every network once, which checks the name and shape of its parameters. */
    private void requireParameters() {
        int width = own.components().columns() + 1;
        surroundings
                .folds()
                .forEach(parameters -> SurroundingsNetwork.surprise(
                        parameters,
                        DenseMatrix.of(0, width, new float[0]),
                        DenseMatrix.of(0, 2 * width + 1, new float[0]),
                        new int[0],
                        new float[0]));
        edges.folds().forEach(parameters -> EdgeNetwork.vectors(parameters, DenseMatrix.of(0, width, new float[0])));
    }
}
