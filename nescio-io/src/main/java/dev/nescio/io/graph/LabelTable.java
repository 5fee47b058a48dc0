// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.io.table.TableFormats;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.io.table.Values;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Labels from a table of their own, such as the decisions of people who looked at nodes. They stand in place of the labels that a
 * graph has, and their nodes are there to be learned from.
 */
public final class LabelTable {

    private static final List<String> IDS = List.of("id", "node_id", "node", "name");
    private static final List<String> LABELS = List.of("label", "class", "y");

    private final Map<String, String> byId;
    private final String file;

    private LabelTable(String file, Map<String, String> byId) {
        this.file = file;
        this.byId = byId;
    }

    /**
     * Reads a table with a column of ids and one of labels; rows without a label count for nothing. Refuses a table without labels,
     * and a node with two of them.
     */
    public static LabelTable read(Path file) {
        try (TableReader table = TableFormats.open(file, Progress.NONE)) {
            int id = column(table, IDS);
            int label = column(table, LABELS);
            Map<String, String> byId = new LinkedHashMap<>();
            while (table.next()) {
                String name = table.text(id);
                String value = table.text(label);
                if (name == null || name.isBlank()) {
                    throw TableProblem.of(table, id, "is not an id");
                }
                if (value == null || Values.isMissing(value.strip())) {
                    continue;
                }
                String before = byId.put(name, value);
                if (before != null && !before.equals(value)) {
                    throw TableProblem.of(
                            table, label, "is the second label of node '" + name + "', which has '" + before + "'");
                }
            }
            if (byId.isEmpty()) {
                throw new BadInput(table.file() + " has no labels");
            }
            return new LabelTable(table.file(), byId);
        }
    }

    private static int column(TableReader table, List<String> names) {
        return names.stream()
                .mapToInt(table::find)
                .filter(column -> column >= 0)
                .findFirst()
                .orElseThrow(() -> new BadInput(table.file() + " has no column called " + String.join(", ", names)
                        + "; its columns are " + String.join(", ", table.columns())));
    }

    /** How many nodes of a graph have a label here. */
    public int known(Graph graph) {
        return (int) byId.keySet().stream()
                .filter(id -> graph.ids().find(id).isPresent())
                .count();
    }

    /** How many nodes have a label here. */
    public int size() {
        return byId.size();
    }

    /** A graph with these labels; classes that it does not have yet follow those that it has. Refuses labels of which it has no node. */
    public Graph on(Graph graph) {
        if (known(graph) == 0) {
            throw new BadInput(file + ": " + graph.name() + " has none of these nodes; the first is '"
                    + byId.keySet().iterator().next() + "'");
        }
        List<String> classes = new ArrayList<>(graph.classes());
        List<String> fresh = Names.sorted(byId.values().stream()
                .filter(label -> !classes.contains(label))
                .distinct()
                .toList());
        classes.addAll(fresh);
        int[] labels = graph.labels().clone();
        byId.forEach((id, label) -> {
            OptionalInt node = graph.ids().find(id);
            if (node.isPresent()) {
                labels[node.getAsInt()] = classes.indexOf(label);
            }
        });
        return graph.with().labels(labels, classes).build();
    }

    /** A split that learns from all nodes with a label here. */
    public Split on(Graph graph, Split split) {
        NodeSet given = NodeSet.of(byId.keySet().stream()
                .map(graph.ids()::find)
                .filter(OptionalInt::isPresent)
                .mapToInt(OptionalInt::getAsInt)
                .toArray());
        return split.with(
                NodeSet.where(graph.nodes(), node -> split.train().contains(node) || given.contains(node)),
                split.validation().filter(node -> !given.contains(node)),
                split.test().filter(node -> !given.contains(node)));
    }
}
