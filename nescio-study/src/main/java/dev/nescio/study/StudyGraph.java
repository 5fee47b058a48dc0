// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.graph.split.StratifiedSplit;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.io.graph.GraphLocation;
import dev.nescio.io.location.BuiltinGraph;
import dev.nescio.io.location.GraphLocations;
import java.util.Set;

/**
 * A graph of a study, and how it is used there.
 *
 * @param title in tables
 * @param storedSplits whether the graph's own splits are used
 * @param leftOut classes to hide; empty where that makes no sense
 */
record StudyGraph(
        String name,
        String title,
        Graph graph,
        Preprocessing preprocessing,
        boolean storedSplits,
        Set<Integer> leftOut,
        String fingerprint) {

    /** A data set from a folder, or a built-in graph, whose last class is left out. */
    static StudyGraph load(String name, DataFolder folder) {
        if (name.startsWith(BuiltinGraph.PREFIX)) {
            Graph graph = GraphLocations.read(GraphLocation.Request.of(name));
            DataSet.LeaveOut last = new DataSet.LeaveOut(DataSet.LeaveOut.Which.LAST, 1);
            String title = name.substring(BuiltinGraph.PREFIX.length());
            return of(name, title, graph, Preprocessing.NONE, true, last.of(graph));
        }
        DataSet set = DataSets.named(name);
        return of(set, folder.read(set));
    }

    static StudyGraph of(DataSet set, Graph graph) {
        return of(
                set.name(),
                set.title(),
                graph,
                set.preprocessing(),
                set.storedSplits(),
                set.leaveOut() == null ? Set.of() : set.leaveOut().of(graph));
    }

    private static StudyGraph of(
            String name,
            String title,
            Graph graph,
            Preprocessing preprocessing,
            boolean storedSplits,
            Set<Integer> leftOut) {
        return new StudyGraph(name, title, graph, preprocessing, storedSplits, leftOut, Fingerprint.of(graph));
    }

    /** A stored split, drawn by the rule of the published ones where the file has none, or 5, 15 and 80 % of each class. */
    Split split(int number) {
        if (!storedSplits) {
            return StratifiedSplit.CITATION.draw(graph, number);
        }
        return SplitRules.choose(graph, graph.splits().isEmpty() ? "halving:" + number : "" + number);
    }
}
