// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nodes that a detector was made from, by their ids: in another graph, nodes have other numbers. */
public final class KnownNodes {

    /** No nodes at all, as in detectors of the first version: every node of a graph is new. */
    public static final KnownNodes NONE = new KnownNodes(List.of(), List.of(), List.of(), List.of());

    private static final int IDS_AT_A_TIME = 1 << 14;

    private final List<String> training;
    private final List<String> choosing;
    private final List<String> heldOut;
    private final List<String> others;
    /** By id; made when it is first needed. */
    private volatile @Nullable Map<String, Known> index;

    /**
     * @param training nodes that it learned from, in the order that estimators number them
     * @param choosing validation nodes that chose the best epoch
     * @param heldOut nodes that tell what is ordinary
     * @param others all other nodes of that graph
     */
    public KnownNodes(List<String> training, List<String> choosing, List<String> heldOut, List<String> others) {
        this.training = List.copyOf(training);
        this.choosing = List.copyOf(choosing);
        this.heldOut = List.copyOf(heldOut);
        this.others = List.copyOf(others);
    }

    static KnownNodes of(Graph graph, Split split, NodeSet ordinary) {
        return of(BlockGraph.of(graph), split, ordinary);
    }

    static KnownNodes of(BlockGraph graph, Split split, NodeSet ordinary) {
        NodeSet chose = split.validation().filter(node -> !ordinary.contains(node));
        List<String> training = new ArrayList<>();
        List<String> choosing = new ArrayList<>();
        List<String> heldOut = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int from = 0; from < graph.nodes(); from += IDS_AT_A_TIME) {
            List<String> ids = graph.ids(from, Math.min(IDS_AT_A_TIME, graph.nodes() - from));
            for (int i = 0; i < ids.size(); i++) {
                int v = from + i;
                List<String> role = split.train().contains(v)
                        ? training
                        : ordinary.contains(v) ? heldOut : chose.contains(v) ? choosing : others;
                role.add(ids.get(i));
            }
        }
        return new KnownNodes(training, choosing, heldOut, others);
    }

    /** Nodes that it learned from, in the order that estimators number them. */
    public List<String> training() {
        return training;
    }

    /** Validation nodes that chose the best epoch. */
    public List<String> choosing() {
        return choosing;
    }

    /** Nodes that tell what is ordinary. */
    public List<String> heldOut() {
        return heldOut;
    }

    /** All other nodes of that graph. */
    public List<String> others() {
        return others;
    }

    /** The nodes of a graph that are not among them. */
    public NodeSet newIn(Graph graph) {
        return NodeSet.where(graph.nodes(), node -> role(graph.ids().name(node)) == Role.NEW);
    }

    /** What a node was. */
    public Role role(String id) {
        Known known = index().get(id);
        return known == null ? Role.NEW : known.role;
    }

    /** What each of these nodes was; nothing where no nodes are known at all, as in detectors of the first version. */
    List<Role> roles(NodeIds ids) {
        return index().isEmpty()
                ? List.of()
                : IntStream.range(0, ids.size())
                        .mapToObj(i -> role(ids.name(i)))
                        .toList();
    }

    /** The place of every node of a graph among the training nodes, -1 for others; empty where it has none of them. */
    int[] trainingPlaces(NodeIds ids, NodeSet nodes) {
        int[] places = nodes.stream()
                .map(node -> index().getOrDefault(ids.name(node), Known.NOT).place)
                .toArray();
        return IntStream.of(places).allMatch(place -> place < 0) ? new int[0] : places;
    }

    private Map<String, Known> index() {
        Map<String, Known> made = index;
        if (made == null) {
            made = new HashMap<>();
            for (String id : training) {
                made.put(id, new Known(Role.TRAINING, made.size()));
            }
            put(made, choosing, new Known(Role.VALIDATION, -1));
            put(made, heldOut, new Known(Role.HELD_OUT, -1));
            put(made, others, new Known(Role.SEEN, -1));
            index = made;
        }
        return made;
    }

    private static void put(Map<String, Known> index, List<String> ids, Known as) {
        ids.forEach(id -> index.putIfAbsent(id, as));
    }

    /** @param place among the training nodes, -1 for others */
    private record Known(Role role, int place) {

        static final Known NOT = new Known(Role.NEW, -1);
    }
}
