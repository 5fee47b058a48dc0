// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A published graph and how it is used.
 *
 * @param name on the command line
 * @param title in tables
 * @param files any of which will do, the official one first
 * @param source where the official file is; null for a graph that nobody publishes
 * @param size what a file must hold
 * @param preprocessing of the features
 * @param storedSplits whether the file's own splits are used, rather than random ones of 5, 15 and 80 %
 * @param leaveOut which classes make a good unseen kind; null for graphs of two classes
 * @param remark for people; empty for none
 */
public record DataSet(
        String name,
        String title,
        List<Version> files,
        @Nullable URI source,
        Size size,
        Preprocessing preprocessing,
        boolean storedSplits,
        @Nullable LeaveOut leaveOut,
        String remark) {

    /**
     * A file that holds the graph.
     *
     * @param bytes its length; -1 where it is not known
     * @param sha256 empty where nobody has published it: the size of the graph is checked instead
     */
    public record Version(String file, long bytes, String sha256) {}

    /**
     * What can be counted; a directed edge is one end of an undirected one.
     *
     * @param classSizes nodes of each class, from the smallest; empty where a checksum makes them superfluous
     */
    public record Size(int nodes, int directedEdges, int features, int classes, List<Integer> classSizes) {

        /** A size without the sizes of the classes, for a file that is known by its checksum. */
        public Size(int nodes, int directedEdges, int features, int classes) {
            this(nodes, directedEdges, features, classes, List.of());
        }

        /** Whether a graph has this size. */
        boolean fits(Graph graph) {
            Size other = of(graph);
            return other.equals(
                    classSizes.isEmpty() ? new Size(nodes, directedEdges, features, classes, other.classSizes) : this);
        }

        static Size of(Graph graph) {
            int[] sizes = new int[graph.classes().size()];
            for (int label : graph.labels()) {
                if (label >= 0) {
                    sizes[label]++;
                }
            }
            return new Size(
                    graph.nodes(),
                    graph.adjacency().edges(),
                    graph.features().columns(),
                    graph.classes().size(),
                    Arrays.stream(sizes).sorted().boxed().toList());
        }

        @Override
        public String toString() {
            return nodes + " nodes, " + directedEdges + " directed edges, " + features + " features, " + classes
                    + " classes" + (classSizes.isEmpty() ? "" : " of " + classSizes + " nodes");
        }
    }

    /** Which classes are left out: so many of the first, the last, or the largest. */
    public record LeaveOut(Which which, int count) {

        /** By what classes are chosen. */
        public enum Which {
            /** Classes with the lowest numbers. */
            FIRST,
            /** Classes with the highest numbers. */
            LAST,
            /** Classes with the most labelled nodes; of equally large ones the first. */
            LARGEST
        }

        /** The numbers of the classes to leave out of a graph, ascending; at most as many as it has. */
        public Set<Integer> of(Graph graph) {
            int classes = graph.classes().size();
            Set<Integer> chosen = new TreeSet<>();
            if (which == Which.LARGEST) {
                int[] sizes = new int[classes];
                for (int v = 0; v < graph.nodes(); v++) {
                    if (graph.label(v) >= 0) {
                        sizes[graph.label(v)]++;
                    }
                }
                while (chosen.size() < Math.min(count, classes)) {
                    int best = -1;
                    for (int c = 0; c < classes; c++) {
                        best = !chosen.contains(c) && (best < 0 || sizes[c] > sizes[best]) ? c : best;
                    }
                    chosen.add(best);
                }
                return chosen;
            }
            int begin = which == Which.FIRST ? 0 : Math.max(0, classes - count);
            for (int c = begin; c < Math.min(classes, begin + count); c++) {
                chosen.add(c);
            }
            return chosen;
        }
    }

    /** The file as it was published, the first of {@link #files}. */
    public Version official() {
        return files.get(0);
    }
}
