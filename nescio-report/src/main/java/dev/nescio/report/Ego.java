// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import dev.nescio.detector.Detector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The surroundings of a node, as far as they can be drawn.
 *
 * @param nodes the node itself, then its neighbours, then theirs
 * @param edges between them, as positions in the list of nodes
 */
public record Ego(List<Node> nodes, List<int[]> edges) {

    private static final int MOST_NEIGHBOURS = 24;
    private static final int MOST_BEHIND = 60;

    /**
     * A node.
     *
     * @param distance from the first one
     * @param unusual how uncertain it is among these nodes, 0 to 1
     */
    public record Node(String id, String predicted, double epistemic, int distance, double unusual) {}

    /** Gathers and scores the surroundings of a node, by its number: at most 24 neighbours and about 60 of theirs. */
    public static Ego of(Detector detector, Graph graph, int node) {
        Map<Integer, Integer> distance = new LinkedHashMap<>();
        distance.put(node, 0);
        gather(graph, List.of(node), 1, MOST_NEIGHBOURS, distance);
        List<Integer> around = distance.keySet().stream().skip(1).toList();
        gather(graph, around, 2, MOST_BEHIND / Math.max(1, distance.size() - 1), distance);
        NodeSet all = NodeSet.of(distance.keySet().stream().mapToInt(v -> v).toArray());
        Scores scores = detector.score(graph, all);
        double largest = 0;
        Map<Integer, Integer> row = new LinkedHashMap<>();
        for (int v : all.toArray()) {
            largest = Math.max(largest, Math.abs(scores.epistemic()[row.size()]));
            row.put(v, row.size());
        }
        List<Node> nodes = new ArrayList<>();
        Map<Integer, Integer> position = new LinkedHashMap<>();
        for (Map.Entry<Integer, Integer> entry : distance.entrySet()) {
            int i = Objects.requireNonNull(row.get(entry.getKey()));
            double epistemic = scores.epistemic()[i];
            position.put(entry.getKey(), nodes.size());
            nodes.add(new Node(
                    graph.ids().name(entry.getKey()),
                    scores.predicted(i),
                    epistemic,
                    entry.getValue(),
                    largest == 0 ? 0 : Math.max(0, epistemic / largest)));
        }
        return new Ego(nodes, edges(graph.adjacency(), position));
    }

    /** Adds neighbours of some nodes that are not there yet, at most so many of each. */
    private static void gather(Graph graph, List<Integer> from, int at, int most, Map<Integer, Integer> distance) {
        Adjacency adjacency = graph.adjacency();
        for (int v : from) {
            int end = distance.size() + most;
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1] && distance.size() < end; e++) {
                distance.putIfAbsent(adjacency.neighbours()[e], at);
            }
        }
    }

    private static List<int[]> edges(Adjacency adjacency, Map<Integer, Integer> position) {
        List<int[]> edges = new ArrayList<>();
        position.forEach((v, here) -> {
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                Integer there = position.get(adjacency.neighbours()[e]);
                if (there != null
                        && (there < here || !hears(adjacency, adjacency.neighbours()[e], v))) {
                    edges.add(new int[] {there, here});
                }
            }
        });
        return edges;
    }

    private static boolean hears(Adjacency adjacency, int receiver, int sender) {
        return Arrays.binarySearch(
                        adjacency.neighbours(),
                        adjacency.pointers()[receiver],
                        adjacency.pointers()[receiver + 1],
                        sender)
                >= 0;
    }
}
