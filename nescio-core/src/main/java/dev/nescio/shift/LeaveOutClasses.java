// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import dev.nescio.graph.Graph;
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

    /**
     * Hides the classes with these numbers. Refuses numbers that the graph does not have, and fewer than two remaining classes.
     *
     * <pre>{@code
     * LeaveOutClasses hiding = new LeaveOutClasses(graph, Set.of(4));
     * Graph seen = hiding.graph();
     * Split split = hiding.split(SplitRules.first(graph));
     * }</pre>
     */
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

    /** The split as training sees it; the test set is whole. */
    public Split split(Split split) {
        return split.with(
                split.train().filter(v -> !isLeftOut(v)), split.validation().filter(v -> !isLeftOut(v)), split.test());
    }

    /** Whether a node has one of the hidden classes in the original graph; false for nodes without a label. */
    public boolean isLeftOut(int node) {
        return leftOut.contains(original.label(node));
    }
}
