// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The nodes that a detector was made from, by their ids: in another graph, nodes have other numbers.
 *
 * @param training nodes that it learned from, in the order that estimators number them
 * @param choosing validation nodes that chose the best epoch
 * @param heldOut nodes that tell what is ordinary
 * @param others all other nodes of that graph
 */
public record KnownNodes(List<String> training, List<String> choosing, List<String> heldOut, List<String> others) {

    public static final KnownNodes NONE = new KnownNodes(List.of(), List.of(), List.of(), List.of());

    public KnownNodes {
        training = List.copyOf(training);
        choosing = List.copyOf(choosing);
        heldOut = List.copyOf(heldOut);
        others = List.copyOf(others);
    }

    static KnownNodes of(Graph graph, Split split, NodeSet ordinary) {
        NodeSet chose = split.validation().filter(node -> !ordinary.contains(node));
        NodeSet others = NodeSet.where(
                graph.nodes(), v -> !split.train().contains(v) && !chose.contains(v) && !ordinary.contains(v));
        return new KnownNodes(ids(graph, split.train()), ids(graph, chose), ids(graph, ordinary), ids(graph, others));
    }

    private static List<String> ids(Graph graph, NodeSet nodes) {
        return nodes.stream().mapToObj(graph.ids()::name).toList();
    }

    /** The nodes of a graph that are not among them. */
    public NodeSet newIn(Graph graph) {
        Set<String> known = new HashSet<>(training);
        known.addAll(choosing);
        known.addAll(heldOut);
        known.addAll(others);
        return NodeSet.where(graph.nodes(), node -> !known.contains(graph.ids().name(node)));
    }
}
