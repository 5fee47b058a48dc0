package dev.nescio.shift;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Hides some classes from training: their nodes and edges stay in the graph, but they carry no label and are in neither
 * the training nor the validation set. The remaining classes are numbered anew.
 */
public final class LeaveOutClasses {

    private final Graph original;
    private final Set<Integer> leftOut;

    public LeaveOutClasses(Graph original, Set<Integer> leftOut) {
        this.original = original;
        this.leftOut = new TreeSet<>(leftOut);
        for (int label : leftOut) {
            if (label < 0 || label >= original.classes().size()) {
                throw new BadConfiguration(
                        original.name() + " has no class " + label + " to leave out; classes go from 0 to "
                                + (original.classes().size() - 1));
            }
        }
        if (original.classes().size() - leftOut.size() < 2) {
            throw new BadConfiguration("leaving out " + leftOut.size() + " of "
                    + original.classes().size() + " classes leaves fewer than 2 to learn");
        }
    }

    /** The graph as training sees it. */
    public Graph graph() {
        int[] renumbered = new int[original.classes().size()];
        List<String> names = new ArrayList<>();
        for (int c = 0; c < renumbered.length; c++) {
            renumbered[c] = leftOut.contains(c) ? Graph.UNLABELLED : names.size();
            if (!leftOut.contains(c)) {
                names.add(original.classes().get(c));
            }
        }
        int[] labels = original.labels();
        for (int v = 0; v < labels.length; v++) {
            labels[v] = labels[v] < 0 ? Graph.UNLABELLED : renumbered[labels[v]];
        }
        return original.with().labels(labels, names).build();
    }

    /** The nodes of the other classes by themselves, numbered anew. */
    public record Rest(Graph graph, Split split) {}

    /** The original graph without the left-out nodes: for training that must not even know that they are there. */
    public Rest rest(Split split) {
        NodeSet kept = NodeSet.where(original.nodes(), v -> !isLeftOut(v));
        int[] number = kept.places(original.nodes());
        Graph graph = original.alone(kept)
                .with()
                .adjacency(original.adjacency().among(kept))
                .build();
        return new Rest(
                graph,
                split.with(
                        numbered(split.train(), number),
                        numbered(split.validation(), number),
                        numbered(split.test(), number)));
    }

    private static NodeSet numbered(NodeSet nodes, int[] number) {
        return NodeSet.of(nodes.stream().map(v -> number[v]).filter(v -> v >= 0).toArray());
    }

    /** The split as training sees it; the test set is whole. */
    public Split split(Split split) {
        return split.with(
                split.train().filter(v -> !isLeftOut(v)), split.validation().filter(v -> !isLeftOut(v)), split.test());
    }

    public boolean isLeftOut(int node) {
        return leftOut.contains(original.label(node));
    }
}
